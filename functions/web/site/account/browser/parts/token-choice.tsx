import type { Audience } from '../../../../../../shared/permissions/audiences.ts';
import { canPublish } from '../../../../../../shared/permissions/scopes.ts';
import type { Form } from '../../../../browser/data/form.ts';
import {
  type Entry,
  expandTokenEntries,
  tokenEntries,
} from '../../../../browser/people/entries.ts';
import { PermissionGrid } from '../../../../browser/people/permission-grid.tsx';
import { tokenTexts as texts } from '../../token-texts.ts';
import { getGrantable, isWithoutMembers, offeredAudiences } from './grantable.ts';
import { bounds, getChosen, type TokenValues } from './token-form.ts';
import { presets } from './token-rights.ts';

const none: ReadonlySet<Entry> = new Set();

interface PartProps {
  readonly form: Form<TokenValues>;
}

/** What the token can: a preset, or what is ticked of all permissions. */
export const TokenChoice = ({ form }: PartProps) => {
  const { preset, permissions } = form.values.value;
  const isCustom = preset === 'custom';
  const chosen = getChosen({ preset, permissions });
  return (
    <fieldset class="field">
      <legend>{texts.it}</legend>
      <div class="scopes">
        {[...presets, ...(isCustom ? (['custom'] as const) : [])].map((name) => {
          const [label, about] = texts.presets[name];
          return (
            <label key={name}>
              <input
                type="radio"
                name="preset"
                checked={preset === name}
                onChange={() => form.set('preset', name)}
              />
              {label}
              <small>{about}</small>
            </label>
          );
        })}
      </div>
      <details class="fold">
        <summary class="small">{texts.everyPermission}</summary>
        <PermissionGrid
          all={tokenEntries}
          granted={expandTokenEntries(
            chosen ?? tokenEntries.filter((one) => getGrantable().has(one)),
          )}
          fixed={none}
          grantable={getGrantable()}
          onChange={(next) => {
            form.set('permissions', [...next]);
            form.set('preset', 'custom');
          }}
        />
      </details>
      <p class="err" aria-live="polite">
        {form.errors.value.permissions}
      </p>
    </fieldset>
  );
};

/** Who can open what the token publishes at most, as a sentence with a choice. */
const AudienceLine = ({ form }: PartProps) => {
  const { maxAudience } = form.values.value;
  const [before, , after] = texts.audiences[maxAudience];
  return (
    <div class="line">
      {before}
      <select
        class="in"
        name="maxAudience"
        aria-label={texts.audience}
        value={maxAudience}
        onChange={({ currentTarget }) => form.set('maxAudience', currentTarget.value as Audience)}
      >
        {offeredAudiences.map(({ audience, isOff }) => (
          <option key={audience} value={audience} disabled={isOff}>
            {texts.audiences[audience][1]}
          </option>
        ))}
      </select>
      {after}
    </div>
  );
};

/** The ceiling of what the token may publish, as sentences with fields. */
export const TokenCeiling = ({ form }: PartProps) => {
  if (!canPublish(getChosen(form.values.value))) return null;
  return (
    <fieldset class="field">
      <legend>{texts.publishes}</legend>
      <div class="ceil">
        <AudienceLine form={form} />
        {bounds.map((name) => {
          const [before, one, many, label] = texts.bounds[name];
          const error = form.errors.value[name];
          return (
            <div key={name}>
              <div class="line">
                {before}
                <input
                  class="in"
                  name={name}
                  inputMode="numeric"
                  autocomplete="off"
                  maxLength={7}
                  aria-label={label}
                  aria-invalid={error !== undefined}
                  aria-describedby={`${name}-error`}
                  value={form.values.value[name]}
                  onInput={({ currentTarget }) => form.set(name, currentTarget.value.trim())}
                  onBlur={() => form.check(name)}
                />
                {form.values.value[name] === '1' ? one : many}
              </div>
              <p class="err" id={`${name}-error`} aria-live="polite">
                {error}
              </p>
            </div>
          );
        })}
      </div>
      <p class="hint">
        {texts.publishesHint} {isWithoutMembers && texts.notForMembers}
      </p>
    </fieldset>
  );
};
