import { type Html, html } from '../../shared/html.ts';
import type { Setting } from '../../shared/settings.ts';
import { card } from './card.ts';
import { type Field, field, form, showPasswords } from './fields.ts';

const email: Field = { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' };

const toLogin = html`<p class="other"><a href="/login">Sign in</a></p>`;

/** Who may register: what the setting REGISTRATION says. */
type RegistrationMode = Setting<'REGISTRATION'>;

/** The page to sign in. */
export const loginPage = (mode: RegistrationMode): string =>
  card(
    { title: 'Sign in' },
    html`${form(
      'login',
      html`${field('login', email)}
${field('login', { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${showPasswords}`,
      'Sign in',
    )}
<p class="other"><a href="/forgot">Forgot your password?</a></p>
${mode === 'open' ? html`<p class="other">No account yet? <a href="/register" data-keeps-next>Register</a></p>` : undefined}`,
    'sign-in.js',
  );

const registerForm = (token: string | undefined): Html =>
  form(
    'register',
    html`${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">`}
${field('register', { name: 'name', label: 'Name', autocomplete: 'name' })}
${field('register', token === undefined ? email : { ...email, hint: 'The address that was invited.' })}
${field('register', { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 6 characters.' })}
${field('register', { name: 'confirmPassword', label: 'The same password again', type: 'password', autocomplete: 'new-password' })}
${showPasswords}`,
    'Register',
  );

/** The page to register, where that is open to whoever comes, with the token of an invitation or without. */
export const registerPage = (mode: RegistrationMode, token: string | undefined): string => {
  if (mode === 'closed') {
    return card(
      { title: 'Register', heading: 'Registration is closed' },
      html`<p>Nobody can register here. Whoever runs this service can make you an account.</p>
${toLogin}`,
    );
  }
  if (mode === 'invite' && token === undefined) {
    return card(
      { title: 'Register', heading: 'By invitation' },
      html`<p>To register here you need an invitation: open the link in it. Whoever runs this service can invite you.</p>
${toLogin}`,
    );
  }
  return card(
    { title: 'Register', heading: 'Make an account' },
    html`${registerForm(token)}
<p class="other">You have an account? ${token === undefined ? html`<a href="/login" data-keeps-next>Sign in</a>` : html`<a href="/login">Sign in</a>`}</p>`,
    'sign-in.js',
  );
};

/** The page to ask for a link to a new password. */
export const forgotPage = (isMailOn: boolean): string => {
  if (!isMailOn) {
    return card(
      { title: 'Forgot your password?' },
      html`<p>This service sends no mail. Ask whoever runs it for a link to a new password.</p>
${toLogin}`,
    );
  }
  return card(
    { title: 'Forgot your password?' },
    html`${form('forgot', field('forgot', { ...email, hint: 'A link to a new password is sent there. It is good for an hour.' }), 'Send the link')}
${toLogin}`,
    'forgot.js',
  );
};
