import type { SignOutReason } from '../../../../shared/auth/sign-out-reason.ts';
import type { Setting } from '../../../../shared/runtime/settings.ts';
import { html } from '../../../../shared/text/html.ts';
import { getDestination, withNext } from '../../layout/addresses/destination.ts';
import { card } from '../../layout/card.ts';
import { type FormField, formField, scriptedForm } from '../../layout/form.ts';
import { fieldTexts as fields } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { signInTexts as texts } from './texts.ts';

/** The values of the setting REGISTRATION. */
type RegistrationMode = Setting<'REGISTRATION'>;

/** What a sign-in page is rendered for. */
export interface SignInVisit {
  readonly theme: Theme | undefined;
  /** Whether only a script can tell if the visitor is signed in (decisions.md#pages). */
  readonly isUnknown: boolean;
  /** The page to open after signing in. */
  readonly next: string | undefined;
  /** Why the visitor is signed out, if the browser had a session. */
  readonly signedOut: SignOutReason | undefined;
}

const email: FormField = {
  name: 'email',
  label: fields.email,
  type: 'email',
  autocomplete: 'username',
};

const chooseScripts = (isUnknown: boolean) =>
  [...(isUnknown ? (['arrival.js'] as const) : []), 'sign-in.js'] as const;

const toLogin = (next?: string) => html`<a href="${withNext('/login', next)}">${texts.signIn}</a>`;

/** What a session is wanted for on pages that anyone can open. */
const reasons: ReadonlyMap<string, string> = new Map([['/', texts.toShare]]);

/** Returns why the visitor is asked to sign in: the session has ended, or a page needs one. Never a text of the address. */
const getReason = ({ next, signedOut }: SignInVisit): string | undefined => {
  if (signedOut) return texts.signedOut[signedOut];
  if (next === undefined) return undefined;
  const [path = ''] = getDestination(next).split(/[?#]/, 1);
  const isReference = path.startsWith('/api/docs/');
  return isReference ? texts.toTry : (reasons.get(path) ?? texts.toSee);
};

/** Renders the sign-in page. */
export const loginPage = (mode: RegistrationMode, visit: SignInVisit): string => {
  const { theme, isUnknown, next } = visit;
  return card({
    title: texts.signIn,
    theme,
    scripts: chooseScripts(isUnknown),
    note: getReason(visit),
    content: html`${scriptedForm(
      'login',
      html`${formField('login', { ...email, hasFocus: true })}
${formField('login', { name: 'password', label: fields.password, type: 'password', autocomplete: 'current-password', canReveal: true })}`,
      texts.signIn,
    )}
<p class="forgot"><a href="/forgot">${texts.forgot}</a></p>`,
    ...(mode === 'open' && {
      after: html`${texts.noAccount} <a href="${withNext('/register', next)}">${texts.register}</a>`,
    }),
  });
};

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

const registerForm = (token: string | undefined, hint: string | undefined) =>
  scriptedForm(
    'register',
    html`${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">`}
${formField('register', { name: 'name', label: fields.name, autocomplete: 'name', minLength: 2, hasFocus: true })}
${formField('register', hint === undefined ? email : { ...email, hint })}
${formField('register', { name: 'password', label: fields.password, type: 'password', autocomplete: 'new-password', minLength: 6, hint: fields.passwordHint, canReveal: true })}
${formField('register', { name: 'confirmPassword', label: fields.samePassword, type: 'password', autocomplete: 'new-password', repeats: 'password' })}`,
    texts.makeAccount,
  );

/** Renders the registration page, or why registration is not possible. `token` is that of an invitation. */
export const registerPage = (
  mode: RegistrationMode,
  token: string | undefined,
  { theme, isUnknown, next }: SignInVisit,
  rules: AddressRules,
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
  return card({
    title: texts.makeAccount,
    theme,
    scripts: chooseScripts(isUnknown),
    content: registerForm(token, getEmailHint(token, rules)),
    after: html`${texts.hasAccount} ${toLogin(token === undefined ? next : undefined)}`,
  });
};

/** Renders the page that requests a password reset link. */
export const forgotPage = (isMailOn: boolean, theme: Theme | undefined): string =>
  card({
    title: texts.forgot,
    theme,
    ...(isMailOn && { scripts: ['forgot.js'] as const }),
    content: isMailOn
      ? scriptedForm(
          'forgot',
          formField('forgot', { ...email, hint: texts.forgotHint, hasFocus: true }),
          texts.sendLink,
        )
      : html`<p>${texts.noMail}</p>`,
    after: toLogin(),
  });
