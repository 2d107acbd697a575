import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { confirm } from '../../../../../browser/components/dialog.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { formatDay, formatNumber } from '../../../../../browser/data/format.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { type Factors, factors } from '../state.ts';
import { useAction } from './action.ts';
import { setUpAuthenticator } from './authenticator-dialog.tsx';
import { showCodes } from './codes-dialog.tsx';

/** From here on, a note asks for new codes. */
const few = 3;

const isOn = ({ totp, passkeys }: Factors): boolean => totp !== null || passkeys.length > 0;

const removeApp = async ({ passkeys }: Factors): Promise<string | undefined> => {
  const isLast = passkeys.length === 0;
  const isAgreed = await confirm({
    title: texts.confirmRemoveApp,
    text: isLast ? `${texts.confirmRemoveAppText} ${texts.lastFactor}` : texts.confirmRemoveAppText,
    action: texts.remove,
  });
  if (!isAgreed) return undefined;
  factors.data.value = await api.call('DELETE /api/auth/totp');
  return texts.appRemoved;
};

const Authenticator = ({ own }: { readonly own: Factors }) => {
  const setting = useAction();
  const removing = useAction();
  const setUp = () =>
    setting.run(async () => {
      await setUpAuthenticator();
      return undefined;
    });
  const { totp } = own;
  return (
    <SetRow
      icon="phone"
      title={<b>{texts.authenticator}</b>}
      about={totp ? texts.setUpOn(formatDay(totp.createdAt)) : texts.notSetUp}
    >
      <Button size="sm" isBusy={setting.isBusy.value} onClick={setUp}>
        {totp ? texts.replace : texts.setUp}
      </Button>
      {totp && (
        <Menu
          label={texts.actionsForApp}
          items={[
            {
              label: texts.remove,
              icon: 'trash',
              isBad: true,
              run: () => removing.run(() => removeApp(own)),
            },
          ]}
        />
      )}
    </SetRow>
  );
};

const createCodes = async (): Promise<undefined> => {
  const isAgreed = await confirm({
    title: texts.confirmCreateCodes,
    text: texts.confirmCreateCodesText,
    action: texts.createCodes,
  });
  if (!isAgreed) return;
  const { codes } = await api.call('POST /api/auth/recovery-codes');
  showCodes(codes);
  await factors.load();
};

const Codes = ({ own }: { readonly own: Factors }) => {
  const { isBusy, run } = useAction();
  const { recoveryCodes } = own;
  return (
    <SetRow
      icon="key"
      title={<b>{texts.recoveryCodes}</b>}
      about={recoveryCodes ? texts.codesLeft(formatNumber(recoveryCodes.left)) : texts.noCodes}
    >
      {recoveryCodes && (
        <Button size="sm" isBusy={isBusy.value} onClick={() => run(createCodes)}>
          {texts.createCodes}
        </Button>
      )}
    </SetRow>
  );
};

const State = () => {
  const own = factors.data.value;
  if (!own) return null;
  if (!isOn(own)) return <Badge>{texts.off}</Badge>;
  return (
    <Badge kind="ok" icon="check">
      {texts.on}
    </Badge>
  );
};

const FewLeft = ({ own: { recoveryCodes } }: { readonly own: Factors }) => {
  if (!recoveryCodes || recoveryCodes.left > few) return null;
  const { left } = recoveryCodes;
  return <Notice kind="warn">{left === 0 ? texts.noneLeft : texts.fewLeft(left)}</Notice>;
};

/** What is asked for after the password: the authenticator app, and the codes that stand in for it. */
export const SecondFactor = () => (
  <SetCard title={texts.secondFactor} about={texts.secondFactorAbout} action={<State />}>
    <Loaded source={factors} lines={3}>
      {(own) => (
        <>
          <ul>
            <li class="setrow">
              <Authenticator own={own} />
            </li>
            <li class="setrow">
              <Codes own={own} />
            </li>
          </ul>
          <FewLeft own={own} />
        </>
      )}
    </Loaded>
  </SetCard>
);
