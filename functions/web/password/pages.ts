import type { FormerEmail } from '../../../shared/auth/user.ts';
import { isPasswordSignInOn } from '../../../shared/auth/ways-in.ts';
import { listProviders } from '../../../shared/runtime/provider-settings.ts';
import { toShownEmail } from '../../../shared/text/email-address.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { LinkKind } from '../../api/users/account/password-link.ts';
import { formatTime } from '../../api/users/account/security-texts.ts';
import { card } from '../layout/card.ts';
import { formFailure, formField, submitButton } from '../layout/form.ts';
import { orLine, providerLinks } from '../layout/sign-in/provider-links.ts';
import { fieldTexts as fields } from '../layout/texts.ts';
import type { Theme } from '../layout/theme.ts';
import { linkErrorTexts, passwordTexts as texts, undoTexts } from './texts.ts';

const paths = { reset: '/reset', invitation: '/invite' } as const;

/** The content of a password form. `error` says what was wrong with the last submission. */
export interface PasswordForm {
  readonly token: string;
  readonly email: string;
  readonly error?: string;
}

/** Renders the ways to accept an invitation without a password: a provider that says the same address. */
const renderProviders = (): Html | undefined => {
  const providers = listProviders();
  if (providers.length === 0) return undefined;
  return html`${orLine}<div class="ways">${providerLinks(providers, { next: '/' })}</div>`;
};

/** Renders the form that sets a password. It needs no script. */
export const passwordPage = (
  kind: LinkKind,
  { token, email, error }: PasswordForm,
  theme: Theme | undefined,
): string => {
  const { title, about } = texts[kind];
  return card({
    title,
    theme,
    content: html`<p>${about(html`<strong>${toShownEmail(email)}</strong>`)}</p>
<form method="post" action="${paths[kind]}">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${toShownEmail(email)}" autocomplete="username" hidden>
${formField('set', { name: 'password', label: fields.newPassword, type: 'password', autocomplete: 'new-password', minLength: 6, hint: fields.passwordHint, hasFocus: true })}
${formField('set', { name: 'confirmPassword', label: fields.samePassword, type: 'password', autocomplete: 'new-password' })}
${formFailure(error)}
${submitButton(texts.submit)}
</form>
${kind === 'invitation' ? renderProviders() : undefined}`,
  });
};

const signInLink = html`<a class="btn primary lg wide" href="/login">${texts.signIn}</a>`;

/** Renders the page that confirms that the password is set. */
export const passwordSetPage = (theme: Theme | undefined): string =>
  card({ title: texts.done, theme, content: html`<p>${texts.doneAbout}</p>\n${signInLink}` });

/** Renders the page for a link that sets a password, while passwords are off. */
export const passwordsOffPage = (theme: Theme | undefined): string =>
  card({
    title: texts.off,
    theme,
    content: html`<p>${texts.offAbout}</p>
<a class="btn primary lg wide" href="/login?next=/">${texts.signIn}</a>`,
  });

/** The links in emails that lead to pages. */
export type PageKind = LinkKind | 'undo';

/** Renders the page for a link that is invalid, used or expired. */
export const invalidLinkPage = (kind: PageKind, theme: Theme | undefined): string =>
  card({
    title: linkErrorTexts.invalid,
    theme,
    content: html`<p>${linkErrorTexts.invalidAbout}</p>
${linkErrorTexts.next[kind]}`,
  });

/** Renders the page that undoes a change of the email address. It needs no script. */
export const emailUndoPage = (
  token: string,
  { email, changedAt }: FormerEmail,
  theme: Theme | undefined,
): string =>
  card({
    title: undoTexts.title,
    theme,
    content: html`<p>${undoTexts.about(html`<strong>${toShownEmail(email)}</strong>`, formatTime(changedAt))}</p>
<p>${undoTexts.cost}</p>
<form method="post" action="/undo-email">
<input type="hidden" name="token" value="${token}">
${submitButton(undoTexts.submit)}
</form>`,
  });

/** Renders the page that confirms that the email address is restored. */
export const emailRestoredPage = (
  email: string,
  isEmailSent: boolean,
  theme: Theme | undefined,
): string => {
  const address = html`<strong>${toShownEmail(email)}</strong>`;
  return card({
    title: undoTexts.done,
    theme,
    content: isPasswordSignInOn()
      ? html`<p>${isEmailSent ? undoTexts.sent(address) : undoTexts.notSent(address)}</p>`
      : html`<p>${undoTexts.restored(address)}</p>\n${signInLink}`,
  });
};
