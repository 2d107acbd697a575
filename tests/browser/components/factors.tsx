import { signal } from '@preact/signals';
import { render } from 'preact';
import { ApiError } from '../../../functions/web/browser/client/api-error.ts';
import { Button } from '../../../functions/web/browser/components/button.tsx';
import { Dialog } from '../../../functions/web/browser/components/dialog.tsx';
import { AuthenticatorSteps } from '../../../functions/web/browser/factors/authenticator-steps.tsx';
import { RecoveryCodes } from '../../../functions/web/browser/factors/recovery-codes.tsx';

// The parts of second factors, for tests. Nothing of it is deployed.

const open = signal<'steps' | 'codes' | undefined>(undefined);
const log = signal('');

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const setup = {
  secret,
  uri: `otpauth://totp/Handbill:maria%40example.com?issuer=Handbill&secret=${secret}`,
};
const codes = [
  '7hqp-m2xk',
  'v4ne-80ta',
  'q9rd-ke3w',
  'b61z-hh7c',
  'xw5t-20pm',
  'e8ku-vd4n',
  'm3fa-91qy',
  't7cb-zr6e',
  'k0wp-3jsx',
  'n2gy-u8ha',
];

const confirm = async (code: string) => {
  log.value += ` ${code}`;
  if (code === '000000') throw new Error('The service can’t be reached.');
  if (code === '123456') {
    open.value = undefined;
    return;
  }
  throw new ApiError(400, 'Invalid code: is incorrect.', {
    code: 'VALIDATION_ERROR',
    details: [{ field: 'code', message: 'is incorrect' }],
  });
};

const close = () => {
  open.value = undefined;
};

const Page = () => (
  <>
    <h1>Second factors</h1>
    <p id="log">{log.value.trim()}</p>
    <div class="row">
      <Button onClick={() => (open.value = 'steps')}>Set up</Button>
      <Button onClick={() => (open.value = 'codes')}>Codes</Button>
    </div>
    {open.value === 'steps' && (
      <Dialog class="wide" title="Set up your authenticator app" onClose={close}>
        <AuthenticatorSteps setup={setup} confirm={confirm}>
          {(isBusy) => (
            <div class="acts">
              <Button kind="ghost" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" kind="primary" isBusy={isBusy}>
                Turn on
              </Button>
            </div>
          )}
        </AuthenticatorSteps>
      </Dialog>
    )}
    {open.value === 'codes' && (
      <Dialog class="wide" title="Save your recovery codes" onClose={close}>
        <RecoveryCodes codes={codes} email="maria@example.com" onDone={close} />
      </Dialog>
    )}
  </>
);

render(<Page />, document.querySelector('main') as HTMLElement);
