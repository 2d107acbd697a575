import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { withNext } from '../../../layout/addresses/destination.ts';
import { ApiError } from '../../client/api-error.ts';
import { createClient } from '../../client/client.ts';
import { ProofForm, type ProofMethod } from '../../factors/proof-form.tsx';
import { completeByPasskey } from '../../passkeys/sign-in.ts';
import { signedIn } from '../session.ts';
import { dialogTexts } from './dialog-texts.ts';

const texts = dialogTexts.signIn;

const client = createClient();

/** What is to be proven after the password. */
interface SecondStep {
  readonly mfaToken: string;
  readonly methods: readonly ProofMethod[];
}

/** Ends the new session if the page belongs to another user. @throws ApiError; Error if it does */
const assertSameUser = async (): Promise<void> => {
  const { id, deletesAt } = await client.call('GET /api/auth/me');
  if (!signedIn || id === signedIn.user.id) {
    // Nothing else works before the account is kept.
    if (deletesAt) location.assign(withNext('/leaving', location.pathname + location.search));
    return;
  }
  await client.call('POST /api/auth/logout');
  throw new Error(texts.otherUser);
};

/** Signs in, or returns what is to be proven first. @throws ApiError; Error if the page belongs to another user */
const signIn = async (email: string, password: string): Promise<SecondStep | undefined> => {
  const result = await client.call('POST /api/auth/login', { body: { email, password } });
  if ('mfaRequired' in result) return result;
  // Nothing else works before a second factor is set up.
  if (result.mustEnrol) location.assign(withNext('/enrol', location.pathname + location.search));
  await assertSameUser();
  return undefined;
};

interface SignInProps {
  readonly done: (isSignedIn: boolean) => void;
}

const Password = ({
  error: first,
  done,
  goOn,
}: SignInProps & { readonly error: string; readonly goOn: (step: SecondStep) => void }) => {
  const [error, setError] = useState(first);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setIsBusy(true);
    setError('');
    try {
      const step = await signIn(String(fields.get('email')), String(fields.get('password')));
      if (step) goOn(step);
      else done(true);
    } catch (failure) {
      setError((failure as Error).message);
      setIsBusy(false);
      if (failure instanceof ApiError && failure.status === 0) return;
      document.getElementById('again-password')?.focus();
    }
  };
  return (
    <form onSubmit={submit}>
      <p class="sub">{texts.about}</p>
      <div class="field">
        <label for="again-email">{texts.email}</label>
        <input
          class="in"
          id="again-email"
          name="email"
          type="email"
          autocomplete="username"
          required
          defaultValue={signedIn?.user.email}
        />
      </div>
      <div class="field">
        <label for="again-password">{texts.password}</label>
        <input
          class="in"
          id="again-password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          aria-invalid={error !== ''}
          aria-describedby="again-error"
        />
        <p class="err" id="again-error" role="alert">
          {error}
        </p>
      </div>
      <div class="acts">
        <button type="button" class="btn" onClick={() => done(false)}>
          {texts.cancel}
        </button>
        <button type="submit" class="btn primary" aria-busy={isBusy}>
          {texts.submit}
        </button>
      </div>
    </form>
  );
};

/** Who has no password signs in in another tab. */
const hasPassword = signedIn?.hasPassword ?? true;

const toSignInPage = { href: '/login', target: '_blank', rel: 'noopener' } as const;

const SignIn = ({ done }: SignInProps) => {
  const [step, setStep] = useState<SecondStep>();
  const [error, setError] = useState('');
  // Whoever comes back from another tab may have signed in there.
  useEffect(() => {
    const check = () =>
      assertSameUser().then(
        () => done(true),
        (failure: Error) => {
          if (!(failure instanceof ApiError)) setError(failure.message);
        },
      );
    addEventListener('focus', check);
    return () => removeEventListener('focus', check);
  }, []);
  /** Sends a proof. Once the password is too old, asks for it again. */
  const prove = async (send: (mfaToken: string) => Promise<unknown>): Promise<void> => {
    try {
      await send(step?.mfaToken ?? '');
      await assertSameUser();
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401) {
        setError(failure.message);
        setStep(undefined);
      }
      throw failure;
    }
  };
  return (
    <>
      <h2 id="again-title">{texts.title}</h2>
      {step && (
        <ProofForm
          methods={step.methods}
          sendCode={(code) =>
            prove((mfaToken) => client.call('POST /api/auth/mfa', { body: { mfaToken, code } }))
          }
          sendPasskey={() => prove((mfaToken) => completeByPasskey(mfaToken))}
          onProven={() => done(true)}
          onCancel={() => done(false)}
        />
      )}
      {!step && hasPassword && <Password error={error} done={done} goOn={setStep} />}
      {!step && !hasPassword && (
        <>
          <p class="sub">{texts.aboutElsewhere}</p>
          <p class="err" role="alert">
            {error}
          </p>
          <div class="acts">
            <button type="button" class="btn" onClick={() => done(false)}>
              {texts.cancel}
            </button>
            <a {...toSignInPage} class="btn primary" autofocus>
              {texts.submit}
            </a>
          </div>
        </>
      )}
      {!step && hasPassword && signedIn?.hasOtherWays && (
        <p class="mt">
          <a {...toSignInPage}>{texts.elsewhere}</a>
        </p>
      )}
    </>
  );
};

/** Lets the user sign in over the page. Returns whether the user did; the page keeps what it shows. */
export const askToSignIn = (): Promise<boolean> =>
  new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'modal';
    dialog.id = 'sign-in-again';
    dialog.setAttribute('aria-labelledby', 'again-title');
    let isSignedIn = false;
    dialog.addEventListener('close', () => {
      render(null, dialog);
      dialog.remove();
      resolve(isSignedIn);
    });
    const done = (isDone: boolean) => {
      isSignedIn = isDone;
      dialog.close();
    };
    document.body.append(dialog);
    render(<SignIn done={done} />, dialog);
    dialog.showModal();
  });
