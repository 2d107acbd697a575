import { Button } from '../../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../../browser/components/dialog.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import {
  type AuthenticatorSetup,
  AuthenticatorSteps,
} from '../../../../../browser/factors/authenticator-steps.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { factors } from '../state.ts';
import { showCodes } from './codes-dialog.tsx';

interface AuthenticatorDialogProps {
  readonly setup: AuthenticatorSetup;
  readonly close: () => void;
}

const AuthenticatorDialog = ({ setup, close }: AuthenticatorDialogProps) => {
  const confirm = async (code: string) => {
    const result = await api.call('POST /api/auth/totp/confirm', { body: { code } });
    factors.data.value = result.factors;
    close();
    if (result.codes) showCodes(result.codes);
    else toast({ text: texts.appReady });
  };
  return (
    <Dialog class="wide" title={texts.setUpTitle} onClose={close}>
      <AuthenticatorSteps setup={setup} confirm={confirm}>
        {(isBusy) => (
          <div class="acts">
            <Button kind="ghost" onClick={close}>
              {texts.cancel}
            </Button>
            <Button type="submit" kind="primary" isBusy={isBusy}>
              {texts.turnOn}
            </Button>
          </div>
        )}
      </AuthenticatorSteps>
    </Dialog>
  );
};

/** Lets the user set up an authenticator app, in place of one that they have. @throws ApiError */
export const setUpAuthenticator = async (): Promise<void> => {
  const setup = await api.call('POST /api/auth/totp', { body: {} });
  openDialog((close) => <AuthenticatorDialog setup={setup} close={close} />);
};
