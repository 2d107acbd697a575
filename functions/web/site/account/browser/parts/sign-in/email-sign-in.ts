import { ApiError } from '../../../../../browser/client/api-error.ts';
import { clientTexts } from '../../../../../browser/client/texts.ts';
import { post } from '../../../../../browser/data/post.ts';
import { signInTexts as texts } from '../../../texts.ts';
import { showEmailCode } from './email-code.ts';
import { checkField, handleForm, showWrong } from './form.ts';
import { finishLogin, type LoginResponse } from './login-response.ts';

const sendCode = (email: string): Promise<unknown> => post('/api/auth/login/email', { email });

/** Takes the token of a sign-in link from behind the `#` of the address, which histories would keep. */
const takeToken = (): string => {
  const { hash, pathname, search } = location;
  if (hash !== '') history.replaceState(history.state, '', pathname + search);
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
};

/** Returns the address that a link signs in as; `undefined` for no such link. */
const readAddress = (token: string): string | undefined => {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const { email } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof email === 'string' ? email : undefined;
  } catch {
    return undefined;
  }
};

/** Says whose account a link opens: someone may have passed on the link of their own. */
const showAddress = (token: string): void => {
  const [place, email] = [document.querySelector('[data-whose]'), readAddress(token)];
  if (place && email !== undefined) place.textContent = texts.emailLinkAs(email);
};

/** The button beside the form with the password: it sends a code to the address that is typed there. */
const handleButton = (onSent: (email: string) => void): void => {
  const button = document.querySelector<HTMLElement>('#email-me');
  const field = document.querySelector<HTMLInputElement>('#login-email');
  const place = document.querySelector('[data-ways] [data-failure]');
  if (!button || !field || !place) return;
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    place.textContent = '';
    const wrong = checkField(field);
    showWrong(field, wrong);
    if (wrong !== '') return field.focus();
    button.setAttribute('aria-busy', 'true');
    try {
      await sendCode(field.value);
      onSent(field.value);
    } catch (error) {
      button.removeAttribute('aria-busy');
      place.textContent = error instanceof ApiError ? error.message : clientTexts.failed;
    }
  });
};

/** Lets the user sign in by a code that is sent by email, or by the link beside it. */
export const handleEmailSignIn = (leave: () => undefined): void => {
  const showCode = (email: string): void =>
    showEmailCode(email, {
      send: async (code) => {
        const response = await post('/api/auth/login/email/code', { email, code });
        finishLogin(response as LoginResponse, leave);
      },
      sendAgain: () => sendCode(email),
    });
  handleButton(showCode);
  handleForm('login-email', async ({ email }) => {
    await sendCode(String(email));
    showCode(String(email));
    return undefined;
  });
  const hasLink = document.getElementById('email-link') !== null;
  const token = hasLink ? takeToken() : '';
  showAddress(token);
  handleForm('email-link', async () => {
    if (token === '') return texts.linkIncomplete;
    const response = await post('/api/auth/login/email/code', { token });
    return finishLogin(response as LoginResponse, leave);
  });
};
