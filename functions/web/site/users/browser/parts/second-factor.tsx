import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { formatDay, formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { usersTexts as texts } from '../../texts.ts';
import { RecordList } from './record-list.tsx';
import { run } from './run.ts';
import type { User } from './state.ts';

type Factors = Data<'GET /api/users/{id}/factors'>;

/** A factor, the recovery codes, or a connected account, as the lists show it. */
interface Row {
  readonly id: string;
  readonly name: string;
  readonly about: string;
}

/** The accounts at providers. One without an address has no other name than its provider’s. */
const toAccounts = ({ identities }: Factors): readonly Row[] =>
  identities.map(({ label, email, connectedAt, lastUsedAt }) => ({
    id: `${label} ${connectedAt}`,
    name: email === null ? label : texts.accountAt(label, email),
    about: texts.passkeyUse(
      formatDay(connectedAt),
      lastUsedAt === null ? texts.passkeyUnused : texts.usedOn(formatTime(lastUsedAt)),
    ),
  }));

const toRows = ({ totp, passkeys, recoveryCodes }: Factors): readonly Row[] => [
  ...(totp
    ? [{ id: 'totp', name: texts.authenticator, about: texts.addedOn(formatDay(totp.createdAt)) }]
    : []),
  ...passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    about: texts.passkeyUse(
      formatDay(createdAt),
      lastUsedAt === null ? texts.passkeyUnused : texts.usedOn(formatTime(lastUsedAt)),
    ),
  })),
  ...(recoveryCodes
    ? [{ id: 'codes', name: texts.codes, about: texts.codesLeft(formatNumber(recoveryCodes.left)) }]
    : []),
];

const Item = ({ row: { name, about } }: { readonly row: Row }) => (
  <li>
    <span class="grow">
      <span dir="auto">{name}</span>
      <span class="tiny mute blk">{about}</span>
    </span>
  </li>
);

/** What a user is asked for after the password, to remove it once it is lost, and the accounts that sign the user in. */
export const SecondFactor = ({ user }: { readonly user: User }) => {
  const params = { id: user.id };
  const accounts = useSignal<readonly Row[]>([]);
  const source = useMemo(
    () =>
      createSource(async () => {
        const found = await api.call('GET /api/users/{id}/factors', { params });
        accounts.value = toAccounts(found);
        return toRows(found);
      }),
    [user.id],
  );
  const removeAll = async () => {
    const question = {
      title: texts.removeFactorsTitle(user.name),
      text: texts.removeFactorsText(user.name),
      action: texts.removeFactors,
    };
    if (!(await confirm(question))) return;
    const send = () => api.call('DELETE /api/users/{id}/factors', { params });
    await run(send, source.load, texts.factorsRemoved);
  };
  const isOther = user.id !== signedIn?.user.id;
  const action = isOther && (source.data.value?.length ?? 0) > 0 && (
    <Button size="sm" onClick={removeAll}>
      {texts.removeAll}
    </Button>
  );
  return (
    <>
      <RecordList
        title={texts.secondFactor}
        source={source}
        none={accounts.value.length > 0 ? texts.noFactorsButAccounts : texts.noFactors}
        action={action}
      >
        {(row) => <Item key={row.id} row={row} />}
      </RecordList>
      {accounts.value.length > 0 && (
        <section aria-label={texts.connectedAccounts}>
          <div class="row">
            <h3>{texts.connectedAccounts}</h3>
          </div>
          <ul class="records">
            {accounts.value.map((row) => (
              <Item key={row.id} row={row} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
};
