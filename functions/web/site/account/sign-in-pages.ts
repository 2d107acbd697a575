import type { Setting } from '../../../../shared/runtime/settings.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { withNext } from '../../layout/addresses/destination.ts';
import { card } from '../../layout/card.ts';
import { formField, scriptedForm } from '../../layout/form.ts';
import { orLine, providerLinks } from '../../layout/sign-in/provider-links.ts';
import { fieldTexts as fields } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { chooseScripts, emailField, type SignInVisit, secondStepView } from './login-page.ts';
import { signInTexts as texts } from './texts.ts';
import type { SignInWays } from './ways.ts';

const toLogin = (next?: string) => html`<a href="${withNext('/login', next)}">${texts.signIn}</a>`;

/** What registering asks of an email address. */
export interface AddressRules {
  /** Whether a link is sent that verifies it. */
  readonly isVerified: boolean;
  /** The domains that are allowed; empty for all. */
  readonly domains: readonly string[];
}

const getEmailHint = (
  token: string | undefined,
  { isVerified, domains }: AddressRules,
): string | undefined => {
  if (token !== undefined) return texts.invitedHint;
  const hints = [
    ...(domains.length === 0 ? [] : [texts.domainHint(domains.join(', '))]),
    ...(isVerified ? [texts.verifyHint] : []),
  ];
  return hints.length === 0 ? undefined : hints.join(' ');
};

const registerForm = (token: string | undefined, hint: string | undefined): Html =>
  scriptedForm(
    'register',
    html`${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">`}
${formField('register', { name: 'name', label: fields.name, autocomplete: 'name', minLength: 2, hasFocus: true })}
${formField('register', hint === undefined ? emailField : { ...emailField, hint })}
${formField('register', { name: 'password', label: fields.password, type: 'password', autocomplete: 'new-password', minLength: 6, hint: fields.passwordHint, canReveal: true })}
${formField('register', { name: 'confirmPassword', label: fields.samePassword, type: 'password', autocomplete: 'new-password', repeats: 'password' })}`,
    texts.makeAccount,
  );

/** What the registration page is rendered with. */
export interface Registering {
  readonly mode: Setting<'REGISTRATION'>;
  /** That of an invitation. */
  readonly token: string | undefined;
  readonly rules: AddressRules;
  readonly providers: SignInWays['providers'];
}

/** Renders the registration page, or why registration is not possible. */
export const registerPage = (
  { mode, token, rules, providers }: Registering,
  { theme, isUnknown, next }: SignInVisit,
): string => {
  if (mode === 'closed') {
    return card({
      title: texts.makeAccount,
      heading: texts.closed,
      theme,
      content: html`<p>${texts.closedAbout}</p>`,
      after: toLogin(),
    });
  }
  if (mode === 'invite' && token === undefined) {
    return card({
      title: texts.makeAccount,
      heading: texts.invitedOnly,
      theme,
      content: html`<p>${texts.invitedOnlyAbout}</p>`,
      after: toLogin(),
    });
  }
  const to = token === undefined ? next : undefined;
  return card({
    title: texts.makeAccount,
    theme,
    scripts: chooseScripts(isUnknown),
    content: html`${registerForm(token, getEmailHint(token, rules))}
${providers.length === 0 ? undefined : html`${orLine}<div class="ways">${providerLinks(providers, { next: to })}</div>`}`,
    after: html`${texts.hasAccount} ${toLogin(to)}`,
  });
};

/** What the page for who forgot the password can do: send a link, or say who helps. */
export type ForgotHelp = 'link' | 'administrator' | 'no-passwords';

const forgotContent: Readonly<Record<ForgotHelp, Html>> = {
  link: html`<p>${texts.forgotAbout}</p>
${scriptedForm('forgot', formField('forgot', { ...emailField, hasFocus: true }), texts.sendLink)}`,
  administrator: html`<p>${texts.noMail}</p>`,
  'no-passwords': html`<p>${texts.noPasswordsAbout}</p>`,
};

/** Renders the page that requests a password reset link, or says why it can’t. */
export const forgotPage = (help: ForgotHelp, theme: Theme | undefined): string =>
  card({
    title: texts.forgotTitle,
    ...(help === 'no-passwords' && { heading: texts.noPasswords }),
    theme,
    ...(help === 'link' && { scripts: ['forgot.js'] as const }),
    content: forgotContent[help],
    after: html`<a href="/login">${texts.backToLogin}</a>`,
  });

/**
 * Renders the page that a sign-in link leads to. The token is behind the `#` of its address, which no server sees: the script
 * sends it after a click, because programs that look at links press nothing.
 */
export const emailLinkPage = (theme: Theme | undefined): string =>
  card({
    title: texts.emailLinkTitle,
    theme,
    scripts: chooseScripts(false),
    content: html`<p data-whose>${texts.emailLinkAbout}</p>
${scriptedForm('email-link', html``, texts.signIn)}`,
    templates: secondStepView('/login'),
    after: html`<a href="/login">${texts.emailLinkOther}</a>`,
  });
