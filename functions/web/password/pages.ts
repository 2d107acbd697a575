import type { FormerEmail } from '../../../shared/auth/user.ts';
import { html } from '../../../shared/text/html.ts';
import type { LinkKind } from '../../api/users/account/password-link.ts';
import { formatTime } from '../../api/users/account/security-texts.ts';
import { card } from '../layout/card.ts';
import { field } from '../layout/fields.ts';
import { fieldTexts as fields } from '../layout/texts.ts';
import { linkErrorTexts, passwordTexts as texts, undoTexts } from './texts.ts';

const paths = { reset: '/reset', invitation: '/invite' } as const;

/** The content of a password form. `error` says what was wrong with the last submission. */
export interface PasswordForm {
  readonly token: string;
  readonly email: string;
  readonly error?: string;
}

/** Renders the form that sets a password. It needs no script. */
export const passwordPage = (kind: LinkKind, { token, email, error }: PasswordForm): string => {
  const { title, about } = texts[kind];
  return card(
    { title },
    html`<p>${about(html`<strong>${email}</strong>`)}</p>
<form method="post" action="${paths[kind]}">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
${field('set', { name: 'password', label: fields.newPassword, type: 'password', autocomplete: 'new-password', hint: fields.passwordHint })}
${field('set', { name: 'confirmPassword', label: fields.samePassword, type: 'password', autocomplete: 'new-password' })}
<p class="wrong" data-failure role="alert">${error}</p>
<button type="submit">${texts.submit}</button>
</form>`,
  );
};

/** Renders the page that confirms that the password is set. */
export const passwordSetPage = (): string =>
  card({ title: texts.done }, html`<p><a href="/login">${texts.signIn}</a></p>`);

/** The links in emails that lead to pages. */
export type PageKind = LinkKind | 'undo';

/** Renders the page for a link that is invalid, used or expired. */
export const invalidLinkPage = (kind: PageKind): string =>
  card(
    { title: linkErrorTexts.invalid },
    html`<p>${linkErrorTexts.invalidAbout}</p>
<p>${linkErrorTexts.next[kind]}</p>`,
  );

/** Renders the page for any other error. */
export const errorPage = (message: string): string =>
  card({ title: linkErrorTexts.failed }, html`<p>${message}</p>`);

/** Renders the page that undoes a change of the email address. It needs no script. */
export const emailUndoPage = (token: string, { email, changedAt }: FormerEmail): string =>
  card(
    { title: undoTexts.title },
    html`<p>${undoTexts.about(html`<strong>${email}</strong>`, formatTime(changedAt))}</p>
<p>${undoTexts.cost}</p>
<form method="post" action="/undo-email">
<input type="hidden" name="token" value="${token}">
<button type="submit">${undoTexts.submit}</button>
</form>`,
  );

/** Renders the page that confirms that the email address is restored. */
export const emailRestoredPage = (email: string, isEmailSent: boolean): string => {
  const address = html`<strong>${email}</strong>`;
  return card(
    { title: undoTexts.done },
    html`<p>${isEmailSent ? undoTexts.sent(address) : undoTexts.notSent(address)}</p>`,
  );
};
