import type { SignOutReason } from '../../../../shared/auth/sign-out-reason.ts';
import type { Setting } from '../../../../shared/runtime/settings.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import {
  getDestination,
  toLoginAfterSignOut,
  withNext,
} from '../../layout/addresses/destination.ts';
import { type CardPage, card } from '../../layout/card.ts';
import { type FormField, formField, scriptedForm } from '../../layout/form.ts';
import { emailCodeView } from '../../layout/sign-in/email-code.ts';
import { orLine, providerLinks } from '../../layout/sign-in/provider-links.ts';
import { secondFactorCards } from '../../layout/sign-in/second-factor.ts';
import { waysTexts } from '../../layout/sign-in/ways-texts.ts';
import { fieldTexts as fields } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { signInTexts as texts } from './texts.ts';
import type { SignInWays } from './ways.ts';

/** Why a sign-in page says that one is there, by `why` in its address. */
export type LoginReason = 'late' | 'out' | 'left' | 'other';

/** What a sign-in page is rendered for. */
export interface SignInVisit {
  readonly theme: Theme | undefined;
  /** Whether only a script can tell if the visitor is signed in (decisions.md#pages). */
  readonly isUnknown: boolean;
  /** The page to open after signing in. */
  readonly next: string | undefined;
  /** Why the visitor is signed out, if the browser had a session. */
  readonly signedOut: SignOutReason | undefined;
  /** `late`: the step that follows the password came too late. `out`: the visitor has just signed out. `left`: the visitor’s account waits to be deleted. `other`: a provider didn’t help. */
  readonly why?: LoginReason | undefined;
}

/** The field of the address by which someone signs in. */
export const emailField: FormField = {
  name: 'email',
  label: fields.email,
  type: 'email',
  autocomplete: 'username',
};

/** The email field of the sign-in page, in which browsers offer passkeys. */
const loginEmail: FormField = {
  ...emailField,
  autocomplete: 'username webauthn',
  hasFocus: true,
};

/** Returns the scripts of a page that signs in. */
export const chooseScripts = (isUnknown: boolean) =>
  [...(isUnknown ? (['arrival.js'] as const) : []), 'sign-in.js'] as const;

/** What a session is wanted for on pages that anyone can open. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['/', texts.toShare],
  ['/authorize', texts.toConnect],
]);

/** Returns why the visitor is asked to sign in: the session has ended, or a page needs one. Never a text of the address. */
const getReason = ({ next, signedOut, why }: SignInVisit): CardPage['note'] => {
  if (why === 'late') return { text: texts.codeExpired, isWarning: true };
  if (signedOut) return { text: texts.signedOut[signedOut], isWarning: true };
  if (why === 'left') return { text: texts.left, isWarning: false };
  if (why === 'out') return { text: texts.out, isWarning: false };
  if (next === undefined) return undefined;
  const [path = ''] = getDestination(next).split(/[?#]/, 1);
  const isReference = path.startsWith('/api/docs/');
  const text = isReference ? texts.toTry : (reasons.get(path) ?? texts.toSee);
  return { text, isWarning: false };
};

/** The step that follows the password, of which the script shows what applies. `here` is the address that signs in. */
export const secondStepView = (here: string): Html =>
  html`<template id="second-step" data-late="${texts.codeExpired}">${secondFactorCards({
    mfaToken: '',
    methods: ['totp', 'passkey', 'recovery'],
    next: undefined,
    toLogin: here,
  })}</template>`;

/** Renders the form of what is typed: the password, or else the address that a code is sent to. */
const renderForm = ({ hasPasswords, hasEmail }: SignInWays): Html | undefined => {
  if (hasPasswords) {
    return scriptedForm(
      'login',
      html`${formField('login', loginEmail)}
${formField('login', { name: 'password', label: fields.password, type: 'password', autocomplete: 'current-password', canReveal: true, aside: html`<a href="/forgot">${texts.forgot}</a>` })}`,
      texts.signIn,
    );
  }
  if (!hasEmail) return undefined;
  return scriptedForm('login-email', formField('login-email', loginEmail), waysTexts.emailCode);
};

// Shown by a script where the browser has passkeys.
const passkeyButton = html`<button type="button" class="btn lg wide" id="use-passkey" hidden><i class="i-pass" aria-hidden="true"></i>${waysTexts.passkey}</button>\n`;

const emailButton = html`<button type="button" class="btn lg wide" id="email-me"><i class="i-mail" aria-hidden="true"></i>${waysTexts.emailCode}</button>\n`;

/** Renders the ways to sign in besides a form. Passkeys alone are hidden as a whole until a script shows them. */
const renderWays = (ways: SignInWays, next: string | undefined): Html | undefined => {
  const { hasPasswords, hasEmail, hasPasskeys, providers } = ways;
  const hasForm = hasPasswords || hasEmail;
  const hasButton = hasPasswords && hasEmail;
  if (!hasPasskeys && !hasButton && providers.length === 0) return undefined;
  const isHidden = !hasButton && providers.length === 0;
  return html`<div data-ways${isHidden ? html` hidden` : undefined}>${hasForm ? orLine : undefined}<div class="ways">${hasForm && hasPasskeys ? passkeyButton : undefined}${providerLinks(providers, { next, isAlone: !hasForm })}${!hasForm && hasPasskeys ? passkeyButton : undefined}${hasButton ? emailButton : undefined}</div>
<p class="err" role="alert" data-failure></p></div>`;
};

/** Renders the sign-in page. */
export const loginPage = (
  registration: Setting<'REGISTRATION'>,
  ways: SignInWays,
  visit: SignInVisit,
): string => {
  const { theme, isUnknown, next } = visit;
  const { hasPasswords, hasEmail } = ways;
  const hasForm = hasPasswords || hasEmail;
  return card({
    title: texts.signIn,
    theme,
    scripts: chooseScripts(isUnknown),
    isReadable: !hasForm,
    note: getReason(visit),
    content: html`${renderForm(ways)}
${renderWays(ways, next)}`,
    templates: html`${secondStepView(toLoginAfterSignOut(next))}${hasEmail ? emailCodeView : undefined}`,
    ...(registration === 'open' &&
      hasPasswords && {
        after: html`${texts.noAccount} <a href="${withNext('/register', next)}">${texts.register}</a>`,
      }),
  });
};
