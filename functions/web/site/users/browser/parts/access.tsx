import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { formatDevice } from '../../../../browser/data/device.ts';
import { formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { usersTexts as texts } from '../../texts.ts';
import type { User } from './state.ts';

/** Runs an action and loads the list again; says what failed. */
const run = async (
  send: () => Promise<unknown>,
  load: () => Promise<void>,
  text: string,
): Promise<void> => {
  try {
    await send();
    await load();
    toast({ text });
  } catch (error) {
    showFailure((error as Error).message, () => run(send, load, text));
  }
};

const Sessions = ({ user }: { readonly user: User }) => {
  const params = { id: user.id };
  const source = useMemo(
    () => createSource(() => api.call('GET /api/users/{id}/sessions', { params })),
    [user.id],
  );
  useEffect(() => void source.load(), [source]);
  const { data, failure, load } = source;
  const endAll = async () => {
    const question = {
      title: texts.endAllTitle,
      text: texts.endAllText(user.name, formatNumber(data.value?.length ?? 0)),
      action: texts.endAll,
    };
    if (!(await confirm(question))) return;
    await run(() => api.call('DELETE /api/users/{id}/sessions', { params }), load, texts.ended);
  };
  const end = (sessionId: string) =>
    run(
      () =>
        api.call('DELETE /api/users/{id}/sessions/{sessionId}', {
          params: { ...params, sessionId },
        }),
      load,
      texts.ended,
    );
  return (
    <section aria-labelledby="sessions-title">
      <div class="row">
        <h3 id="sessions-title">{texts.sessions}</h3>
        {(data.value?.length ?? 0) > 0 && (
          <Button class="end" size="sm" onClick={endAll}>
            {texts.endAll}
          </Button>
        )}
      </div>
      {failure.value && <Failure error={failure.value} again={load} />}
      {!data.value && !failure.value && <Skeleton lines={2} />}
      {data.value?.length === 0 && <p class="small mute">{texts.noSessions}</p>}
      <ul class="records">
        {data.value?.map(({ id, device, address, lastUsedAt }) => (
          <li key={id}>
            <span class="grow">
              {formatDevice(device)}
              <span class="tiny mute blk">
                {address} · {texts.lastUsed(formatTime(lastUsedAt))}
              </span>
            </span>
            <Button
              kind="ghost"
              size="sm"
              icon="x"
              label={texts.endSession(formatDevice(device))}
              onClick={() => end(id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};

const Tokens = ({ user }: { readonly user: User }) => {
  const params = { id: user.id };
  const source = useMemo(
    () => createSource(() => api.call('GET /api/users/{id}/tokens', { params })),
    [user.id],
  );
  useEffect(() => void source.load(), [source]);
  const { data, failure, load } = source;
  const revoke = (tokenId: number) =>
    run(
      () => api.call('DELETE /api/users/{id}/tokens/{tokenId}', { params: { ...params, tokenId } }),
      load,
      texts.revoked,
    );
  return (
    <section aria-labelledby="tokens-title">
      <h3 id="tokens-title">{texts.tokens}</h3>
      {failure.value && <Failure error={failure.value} again={load} />}
      {!data.value && !failure.value && <Skeleton lines={1} />}
      {data.value?.length === 0 && <p class="small mute">{texts.noTokens}</p>}
      <ul class="records">
        {data.value?.map(({ id, name, lastUsedAt }) => (
          <li key={id}>
            <span class="grow">
              <span dir="auto">{name}</span>
              <span class="tiny mute blk">
                {lastUsedAt === null ? texts.unused : texts.lastUsed(formatTime(lastUsedAt))}
              </span>
            </span>
            <Button
              kind="ghost"
              size="sm"
              icon="x"
              label={texts.revoke(name)}
              onClick={() => revoke(id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};

/** How a user gets in: sessions and API tokens, to end them. */
export const Access = ({ user }: { readonly user: User }) => (
  <>
    <Sessions user={user} />
    <Tokens user={user} />
  </>
);
