import type { Setting } from '../../../../shared/runtime/settings.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { card } from '../../layout/card.ts';
import { type Field, field, form, showPasswords } from '../../layout/fields.ts';
import { fieldTexts as fields } from '../../layout/texts.ts';
import { signInTexts as texts } from './texts.ts';

const email: Field = {
  name: 'email',
  label: fields.email,
  type: 'email',
  autocomplete: 'username',
};

const toLogin = html`<p class="other"><a href="/login">${texts.signIn}</a></p>`;

/** The values of the setting REGISTRATION. */
type RegistrationMode = Setting<'REGISTRATION'>;

/** Renders the sign-in page. */
export const loginPage = (mode: RegistrationMode): string =>
  card(
    { title: texts.signIn },
    html`${form(
      'login',
      html`${field('login', email)}
${field('login', { name: 'password', label: fields.password, type: 'password', autocomplete: 'current-password' })}
${showPasswords}`,
      texts.signIn,
    )}
<p class="other"><a href="/forgot">${texts.forgot}</a></p>
${mode === 'open' ? html`<p class="other">${texts.noAccount} <a href="/register" data-keeps-next>${texts.register}</a></p>` : undefined}`,
    'sign-in.js',
  );

const registerForm = (token: string | undefined): Html =>
  form(
    'register',
    html`${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">`}
${field('register', { name: 'name', label: fields.name, autocomplete: 'name' })}
${field('register', token === undefined ? email : { ...email, hint: texts.invitedHint })}
${field('register', { name: 'password', label: fields.password, type: 'password', autocomplete: 'new-password', hint: fields.passwordHint })}
${field('register', { name: 'confirmPassword', label: fields.samePassword, type: 'password', autocomplete: 'new-password' })}
${showPasswords}`,
    texts.makeAccount,
  );

/** Renders the registration page, or why registration is not possible. `token` is that of an invitation. */
export const registerPage = (mode: RegistrationMode, token: string | undefined): string => {
  if (mode === 'closed') {
    return card(
      { title: texts.makeAccount, heading: texts.closed },
      html`<p>${texts.closedAbout}</p>
${toLogin}`,
    );
  }
  if (mode === 'invite' && token === undefined) {
    return card(
      { title: texts.makeAccount, heading: texts.invitedOnly },
      html`<p>${texts.invitedOnlyAbout}</p>
${toLogin}`,
    );
  }
  return card(
    { title: texts.makeAccount },
    html`${registerForm(token)}
<p class="other">${texts.hasAccount} ${token === undefined ? html`<a href="/login" data-keeps-next>${texts.signIn}</a>` : html`<a href="/login">${texts.signIn}</a>`}</p>`,
    'sign-in.js',
  );
};

/** Renders the page that requests a password reset link. */
export const forgotPage = (isMailOn: boolean): string => {
  if (!isMailOn) {
    return card(
      { title: texts.forgot },
      html`<p>${texts.noMail}</p>
${toLogin}`,
    );
  }
  return card(
    { title: texts.forgot },
    html`${form('forgot', field('forgot', { ...email, hint: texts.forgotHint }), texts.sendLink)}
${toLogin}`,
    'forgot.js',
  );
};
