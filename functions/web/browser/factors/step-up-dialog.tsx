import { useState } from 'preact/hooks';
import { afterRendering } from '../after-rendering.ts';
import { ApiError } from '../client/api-error.ts';
import { createClient } from '../client/client.ts';
import type { Data } from '../client/endpoints.ts';
import { Button } from '../components/button.tsx';
import { Dialog, openDialog } from '../components/dialog.tsx';
import { useUniqueId } from '../data/unique-id.ts';
import { proveByPasskey } from '../passkeys/own-passkeys.ts';
import { ProofForm, type ProofMethod } from './proof-form.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { describeWrongPassword, factorTexts as texts } from './texts.ts';

// It asks nothing by itself: a dialog over the dialog would not end.
const client = createClient();

const toMethods = ({
  totp,
  passkeys,
  recoveryCodes,
}: Data<'GET /api/auth/factors'>): readonly ProofMethod[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys.length > 0 ? (['passkey'] as const) : []),
  ...(recoveryCodes && recoveryCodes.left > 0 ? (['recovery'] as const) : []),
];

const sendCode = (code: string): Promise<unknown> =>
  client.call('POST /api/auth/reauthenticate', { body: { code } });

const passwordName = 'password';

interface PasswordFormProps {
  readonly onProven: () => unknown;
  readonly onCancel: () => unknown;
}

/** Asks for the password of a user who has no second factor. */
const PasswordForm = ({ onProven, onCancel }: PasswordFormProps) => {
  const id = useUniqueId();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget as HTMLFormElement;
    const currentPassword = String(new FormData(form).get(passwordName) ?? '');
    const refuse = (why: string): void => {
      setError(why);
      setBusy(false);
      afterRendering(() => document.getElementById(id)?.focus());
    };
    if (currentPassword === '') return refuse(texts.passwordMissing);
    setBusy(true);
    setError('');
    try {
      await client.call('POST /api/auth/reauthenticate', { body: { currentPassword } });
      onProven();
    } catch (thrown) {
      const details = thrown instanceof ApiError ? thrown.details : [];
      const wrong = details.find(({ field }) => field === 'currentPassword');
      refuse(wrong ? describeWrongPassword(wrong.message) : (thrown as Error).message);
    }
  };
  return (
    <form method="post" noValidate onSubmit={submit}>
      <p class="sub mt0">{texts.proveByPassword}</p>
      <div class="field mt0">
        <label for={id}>{texts.password}</label>
        <input
          class="in"
          id={id}
          name={passwordName}
          type="password"
          autocomplete="current-password"
          autofocus
          aria-invalid={error !== ''}
          aria-describedby={`${id}-error`}
        />
        <p class="err" id={`${id}-error`} role="alert">
          {error}
        </p>
      </div>
      <div class="acts">
        <Button kind="ghost" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.confirm}
        </Button>
      </div>
    </form>
  );
};

/** Leads through another sign-in. The page is left, unless the user stays. */
const askToSignInAgain = async (): Promise<false> => {
  const { identities } = await client.call('GET /api/auth/identities');
  const connected = identities.filter((identity) => identity.connected);
  return new Promise((resolve) => {
    openDialog((close) => {
      const cancel = () => {
        close();
        resolve(false);
      };
      return (
        <Dialog title={texts.signInAgain} onClose={cancel}>
          <SignInAgain connected={connected} client={client} onCancel={cancel} />
        </Dialog>
      );
    });
  });
};

/**
 * Lets the user prove over the page who they are, by what a refusal asks for: a second factor, or the password of someone who has
 * none. Who has neither signs in again, and comes back. Returns whether they did; the focus returns to what had it.
 * @throws ApiError if their factors can’t be read
 */
export const askToProve = async (refusal: ApiError): Promise<boolean> => {
  if (refusal.details.some(({ field }) => field === 'signIn')) return askToSignInAgain();
  const isByPassword = refusal.details.some(({ field }) => field === 'currentPassword');
  const methods = isByPassword ? [] : toMethods(await client.call('GET /api/auth/factors'));
  return new Promise((resolve) => {
    openDialog((close) => {
      const end = (isProven: boolean) => {
        close();
        resolve(isProven);
      };
      const ends = { onProven: () => end(true), onCancel: () => end(false) };
      return (
        <Dialog title={texts.prove} onClose={ends.onCancel}>
          {methods.length === 0 ? (
            <PasswordForm {...ends} />
          ) : (
            <ProofForm
              methods={methods}
              sendCode={sendCode}
              sendPasskey={() => proveByPasskey(client)}
              {...ends}
            />
          )}
        </Dialog>
      );
    });
  });
};
