import { render } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { createClient } from '../../client/client.ts';
import { signedIn } from '../session.ts';
import { dialogTexts } from './dialog-texts.ts';

const texts = dialogTexts.signIn;

const client = createClient();

/** Signs in. @throws ApiError; Error if the page belongs to another user */
const signIn = async (email: string, password: string): Promise<void> => {
  const { user } = await client.call('POST /api/auth/login', { body: { email, password } });
  if (!signedIn || user.id === signedIn.user.id) return;
  await client.call('POST /api/auth/logout');
  throw new Error(texts.otherUser);
};

const SignIn = ({ done }: { readonly done: (isSignedIn: boolean) => void }) => {
  const [error, setError] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setIsBusy(true);
    setError('');
    try {
      await signIn(String(fields.get('email')), String(fields.get('password')));
      done(true);
    } catch (failure) {
      setError((failure as Error).message);
      setIsBusy(false);
      if (failure instanceof ApiError && failure.status === 0) return;
      document.getElementById('again-password')?.focus();
    }
  };
  return (
    <form onSubmit={submit}>
      <h2 id="again-title">{texts.title}</h2>
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
