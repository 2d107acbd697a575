import { Button } from '../../../../../browser/components/button.tsx';
import { confirm } from '../../../../../browser/components/dialog.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { formatDay } from '../../../../../browser/data/format.ts';
import { addPasskey } from '../../../../../browser/passkeys/own-passkeys.ts';
import { PasskeyError } from '../../../../../browser/passkeys/passkey-error.ts';
import { canUsePasskeys } from '../../../../../browser/passkeys/support.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { type Factors, factors } from '../state.ts';
import { formatRecentDay } from '../times.ts';
import { useAction } from './action.ts';
import { showCodes } from './codes-dialog.tsx';
import { askForName } from './passkey-name-dialog.tsx';

type Passkey = Factors['passkeys'][number];

const maxPasskeys = 10;
const titleId = 'passkeys';

const add = async (): Promise<string | undefined> => {
  const before = new Set(factors.data.value?.passkeys.map(({ id }) => id));
  try {
    const { factors: now, codes } = await addPasskey(api);
    factors.data.value = now;
    const added = now.passkeys.find(({ id }) => !before.has(id));
    if (codes) showCodes(codes);
    return added && texts.passkeyAdded(added.name);
  } catch (error) {
    if (!(error instanceof PasskeyError)) throw error;
    toast({ text: error.message, kind: 'bad' });
    return undefined;
  }
};

const Add = () => {
  const { isBusy, run } = useAction();
  const count = factors.data.value?.passkeys.length ?? 0;
  const why = count >= maxPasskeys ? texts.tooMany : undefined;
  return (
    <Button
      size="sm"
      icon="plus"
      isBusy={isBusy.value}
      whyDisabled={canUsePasskeys() ? why : texts.noSupport}
      onClick={() => run(add)}
    >
      {texts.addPasskey}
    </Button>
  );
};

const remove = async ({ id, name }: Passkey): Promise<string | undefined> => {
  const own = factors.data.value;
  const isLast = own?.passkeys.length === 1 && own.totp === null;
  const isAgreed = await confirm({
    title: texts.confirmRemovePasskey(name),
    text: isLast
      ? `${texts.confirmRemovePasskeyText} ${texts.lastFactor}`
      : texts.confirmRemovePasskeyText,
    action: texts.remove,
  });
  if (!isAgreed) return undefined;
  const now = await api.call('DELETE /api/auth/passkeys/{id}', { params: { id } });
  // The row, to whose menu the focus has returned, goes.
  document.getElementById(titleId)?.focus();
  factors.data.value = now;
  return texts.passkeyRemoved(name);
};

const isPhone = (name: string): boolean => /phone|ipad|android/i.test(name);

const describe = ({ createdAt, lastUsedAt, isSynced }: Passkey): string =>
  [
    texts.added(formatDay(createdAt)),
    lastUsedAt === null ? texts.neverUsed : texts.used(formatRecentDay(lastUsedAt)),
    ...(isSynced ? [texts.synced] : []),
  ].join(' · ');

const Row = ({ passkey }: { readonly passkey: Passkey }) => {
  const { run } = useAction();
  const { name } = passkey;
  return (
    <SetRow
      icon={isPhone(name) ? 'phone' : 'pass'}
      title={<b dir="auto">{name}</b>}
      about={describe(passkey)}
    >
      <Menu
        label={texts.actionsFor(name)}
        items={[
          { label: texts.rename, icon: 'pen', run: () => askForName(passkey) },
          {
            label: texts.remove,
            icon: 'trash',
            isBad: true,
            run: () => run(() => remove(passkey)),
          },
        ]}
      />
    </SetRow>
  );
};

/** The passkeys of the user. */
export const Passkeys = () => (
  <SetCard id={titleId} title={texts.passkeys} about={texts.passkeysAbout} action={<Add />}>
    <Loaded source={factors} lines={2}>
      {({ passkeys }) =>
        passkeys.length === 0 ? (
          <p class="none mute small">{texts.noPasskeys}</p>
        ) : (
          <ul>
            {passkeys.map((passkey) => (
              <li key={passkey.id} class="setrow">
                <Row passkey={passkey} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  </SetCard>
);
