import { useMemo } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { formatDevice } from '../../../../browser/data/device.ts';
import { formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { usersTexts as texts } from '../../texts.ts';
import { RecordList } from './record-list.tsx';
import { run } from './run.ts';
import { SecondFactor } from './second-factor.tsx';
import type { User } from './state.ts';

const Sessions = ({ user }: { readonly user: User }) => {
  const params = { id: user.id };
  const source = useMemo(
    () => createSource(() => api.call('GET /api/users/{id}/sessions', { params })),
    [user.id],
  );
  const count = source.data.value?.length ?? 0;
  const endAll = async () => {
    const question = {
      title: texts.endAllTitle,
      text: texts.endAllText(user.name, formatNumber(count)),
      action: texts.endAll,
    };
    if (!(await confirm(question))) return;
    const send = () => api.call('DELETE /api/users/{id}/sessions', { params });
    await run(send, source.load, texts.ended);
  };
  const end = (sessionId: string) => {
    const all = { ...params, sessionId };
    const send = () => api.call('DELETE /api/users/{id}/sessions/{sessionId}', { params: all });
    return run(send, source.load, texts.ended);
  };
  const action = count > 0 && (
    <Button size="sm" onClick={endAll}>
      {texts.endAll}
    </Button>
  );
  return (
    <RecordList title={texts.sessions} source={source} none={texts.noSessions} action={action}>
      {({ id, device, address, lastUsedAt }) => (
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
      )}
    </RecordList>
  );
};

const Tokens = ({ user }: { readonly user: User }) => {
  const params = { id: user.id };
  const source = useMemo(
    () => createSource(() => api.call('GET /api/users/{id}/tokens', { params })),
    [user.id],
  );
  const revoke = (tokenId: number) => {
    const all = { ...params, tokenId };
    const send = () => api.call('DELETE /api/users/{id}/tokens/{tokenId}', { params: all });
    return run(send, source.load, texts.revoked);
  };
  return (
    <RecordList title={texts.tokens} source={source} none={texts.noTokens}>
      {({ id, name, lastUsedAt }) => (
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
      )}
    </RecordList>
  );
};

/** How a user gets in: second factors, sessions and API tokens, to end them. */
export const Access = ({ user }: { readonly user: User }) => (
  <>
    <SecondFactor user={user} />
    <Sessions user={user} />
    <Tokens user={user} />
  </>
);
