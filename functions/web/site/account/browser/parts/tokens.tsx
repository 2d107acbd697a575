import { useEffect, useRef } from 'preact/hooks';
import { canPublish } from '../../../../../../shared/permissions/scopes.ts';
import { ApiError } from '../../../../browser/client/api-error.ts';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { Empty } from '../../../../browser/components/empty.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { copyText } from '../../../../browser/data/clipboard.ts';
import { copyByHand } from '../../../../browser/data/copy-by-hand.ts';
import { formatDay, formatTime } from '../../../../browser/data/format.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { commonTexts } from '../../../../browser/texts.ts';
import { accountTexts } from '../../account-texts.ts';
import { tokenTexts as texts } from '../../token-texts.ts';
import { Section } from './section.tsx';
import { created, type Token, tokens, url } from './state.ts';
import { describeCeiling, describeEntries, findPreset } from './token-rights.ts';

/** What it may publish, if it may. */
const describePublishing = ({ permissions, ceiling }: Token): string | undefined => {
  if (!canPublish(permissions)) return undefined;
  return ceiling ? describeCeiling(ceiling) : texts.mayPublishAll;
};

const describe = ({ expiresAt, lastUsedAt, createdAt }: Token): string =>
  [
    expiresAt ? texts.until(formatDay(expiresAt)) : texts.untilRevoked,
    lastUsedAt ? texts.lastUsed(formatTime(lastUsedAt)) : texts.neverUsed,
    texts.created(formatDay(createdAt)),
  ].join(' · ');

const revoke = async (token: Token): Promise<void> => {
  try {
    await api.call('DELETE /api/auth/tokens/{id}', { params: { id: token.id } });
  } catch (error) {
    // It is revoked already.
    if (!(error instanceof ApiError) || error.status !== 404) {
      showFailure((error as Error).message, () => revoke(token));
      return;
    }
  }
  if (created.value?.id === token.id) created.value = undefined;
  tokens.data.value = tokens.data.value?.filter(({ id }) => id !== token.id);
  toast({ text: texts.revoked(token.name) });
};

const askToRevoke = async (token: Token): Promise<void> => {
  const isAgreed = await confirm({
    title: texts.confirmRevoke(token.name),
    text: texts.confirmRevokeText,
    action: texts.revoke,
  });
  if (isAgreed) await revoke(token);
};

const Row = ({ token }: { readonly token: Token }) => {
  const preset = findPreset(token.permissions);
  const publishing = describePublishing(token);
  return (
    <li>
      <span class="kind">
        <Icon name="key" />
      </span>
      <div class="grow">
        <p class="row wrap">
          <b dir="auto">{token.name}</b>
          {preset !== 'custom' && <Badge>{texts.presets[preset][0]}</Badge>}
        </p>
        <p class="sub tiny">{describeEntries(token.permissions)}</p>
        {publishing !== undefined && <p class="sub tiny">{publishing}</p>}
        <p class="mute tiny">{describe(token)}</p>
      </div>
      <Button size="sm" aria-label={texts.revokeOne(token.name)} onClick={() => askToRevoke(token)}>
        {texts.revoke}
      </Button>
    </li>
  );
};

/** The secret of the token that has just been created. */
const Secret = ({ secret }: { readonly secret: string }) => {
  const field = useRef<HTMLInputElement>(null);
  // The drawer that closes first gives the focus back to what opened it.
  useEffect(() => {
    document.getElementById('copy-token')?.focus();
  }, [secret]);
  const copy = async () => {
    const isCopied = await copyText(secret, commonTexts.copied, copyByHand);
    if (!isCopied) field.current?.select();
  };
  return (
    <div class="card new-token">
      <label for="secret">{texts.newToken}</label>
      <div class="row wrap">
        <input
          ref={field}
          class="in mono"
          id="secret"
          value={secret}
          readOnly
          autocomplete="off"
          spellcheck={false}
        />
        <Button id="copy-token" kind="primary" icon="copy" onClick={copy}>
          {texts.copy}
        </Button>
        <Button
          kind="ghost"
          onClick={() => {
            created.value = undefined;
          }}
        >
          {texts.dismissToken}
        </Button>
      </div>
    </div>
  );
};

/** The API tokens of the user. */
export const Tokens = () => (
  <>
    {created.value && !url.view.value.isCreating && <Secret secret={created.value.token} />}
    <Section
      title={accountTexts.tabs.tokens}
      about={
        <>
          {texts.tokensAbout} <a href="/api/docs">{texts.apiReference}</a>
        </>
      }
    >
      <Loaded source={tokens} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              title={texts.noTokens}
              action={
                <Button onClick={() => url.change({ isCreating: true }, 'push')}>
                  {accountTexts.createToken}
                </Button>
              }
            />
          ) : (
            <ul class="list records">
              {all.map((token) => (
                <Row key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  </>
);
