import { useLayoutEffect } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { formatDay } from '../../../../../browser/data/format.ts';
import { leave } from '../../../../../browser/shell/unsaved.ts';
import { accountTexts } from '../../../account-texts.ts';
import { assistantTexts as texts } from '../../../assistant-texts.ts';
import { toUrl } from '../../../view.ts';
import { sharing } from '../grantable.ts';
import { describeBounds, describeEntries } from '../token-rights.ts';
import { forgetToken, newToken, tokenForm } from './new-token.ts';
import { getPreset, type PresetName, presetNames, whyNotMembers } from './presets.ts';

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const describe = (preset: PresetName): string => {
  const { permissions, ceiling } = getPreset(preset);
  const bounds = ceiling && describeBounds(ceiling);
  return texts.sentence(bounds === undefined ? describeEntries(permissions) : capitalize(bounds));
};

const WhyNotMembers = () => {
  if (whyNotMembers === undefined) return null;
  const max = sharing.max === 'private' ? 'private' : 'people';
  return (
    <p class="hint">
      {whyNotMembers === 'unknown'
        ? texts.notForMembers
        : texts.membersExcluded(texts.maxAudiences[max])}
    </p>
  );
};

/** The id of the button that copies the new token. */
export const copyTokenId = 'copy-new-token';

const Created = () => {
  // The button that created it is gone; what is to be done next has the focus.
  useLayoutEffect(() => document.getElementById(copyTokenId)?.focus(), []);
  return (
    <div class="choose">
      <Button size="sm" onClick={() => leave(forgetToken)}>
        {texts.createAnother}
      </Button>
    </div>
  );
};

/** The first step: creates a token of one of three kinds. */
export const TokenStep = () => {
  const { preset } = tokenForm.values.value;
  const created = newToken.value;
  return (
    <div>
      <p>{texts.createToken}</p>
      <p class="small" role="status">
        {created && `${texts.created(formatDay(created.expiresAt ?? ''))} ${texts.copyNow}`}
      </p>
      {created ? (
        <Created key={created.id} />
      ) : (
        <form method="post" noValidate autocomplete="off" onSubmit={tokenForm.submit}>
          <div class="row wrap choose">
            <select
              class="in pick"
              aria-label={texts.preset}
              value={preset}
              onChange={({ currentTarget }) =>
                tokenForm.set('preset', currentTarget.value as PresetName)
              }
            >
              {presetNames.map((name) => (
                <option
                  key={name}
                  value={name}
                  disabled={name === 'members' && whyNotMembers !== undefined}
                >
                  {texts.presets[name]}
                </option>
              ))}
            </select>
            <Button type="submit" kind="primary" size="sm" isBusy={tokenForm.isBusy.value}>
              {texts.create}
            </Button>
          </div>
          <p class="hint" aria-live="polite">
            {describe(preset)} {texts.otherLimits}{' '}
            <a href={toUrl({ tab: 'tokens', isCreating: true })}>{accountTexts.tabs.tokens}</a>.
          </p>
          <WhyNotMembers />
          {tokenForm.failure.value !== undefined && (
            <div class="mt0">
              <Notice kind="bad">{tokenForm.failure.value}</Notice>
            </div>
          )}
        </form>
      )}
    </div>
  );
};
