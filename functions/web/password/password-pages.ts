import { type Html, html } from '../../../shared/text/html.ts';
import type { LinkKind } from '../../api/users/account/password-link.ts';
import { card } from '../layout/card.ts';
import { field } from '../layout/fields.ts';

const words = {
  reset: {
    action: '/reset',
    title: 'Choose a new password',
    about: (email: Html) => html`It is for ${email}, and signs you out everywhere.`,
  },
  invitation: {
    action: '/invite',
    title: 'You are invited',
    about: (email: Html) => html`Choose a password for your account ${email}.`,
  },
} as const;

/** What the form behind a link is filled with. `wrong` says what was not right about the last try. */
export interface PasswordForm {
  readonly token: string;
  readonly email: string;
  readonly wrong?: string;
}

/** The form behind a link, for the account that the link is good for. It needs no script. */
export const passwordPage = (kind: LinkKind, { token, email, wrong }: PasswordForm): string => {
  const { action, title, about } = words[kind];
  return card(
    { title },
    html`<p>${about(html`<strong>${email}</strong>`)}</p>
<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
${field('set', { name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: 'At least 6 characters.' })}
${field('set', { name: 'confirmPassword', label: 'The same password again', type: 'password', autocomplete: 'new-password' })}
<p class="wrong" data-failure role="alert">${wrong}</p>
<button type="submit">Set the password</button>
</form>`,
  );
};

/** What is shown when the password is set. */
export const passwordSetPage = (): string =>
  card({ title: 'Your password is set' }, html`<p><a href="/login">Sign in with it</a></p>`);

/** The links whose pages there are: those to a password, and that which undoes a change of the e-mail address. */
export type PageKind = LinkKind | 'undo';

const whatNext: Readonly<Record<PageKind, Html>> = {
  reset: html`<a href="/forgot">Ask for a new link</a>`,
  invitation: html`If you have chosen a password, <a href="/login">sign in</a>. Otherwise ask whoever invited you for a new link.`,
  undo: html`If you can’t sign in, contact an administrator.`,
};

/** What is shown for a link that is not good, whatever the reason. */
export const invalidLinkPage = (kind: PageKind): string =>
  card(
    { title: 'This link is not valid' },
    html`<p>It was used already, is too old, or a newer one took its place.</p>
<p>${whatNext[kind]}</p>`,
  );

/** What is shown when something else went wrong. */
export const errorPage = (text: string): string =>
  card({ title: 'That did not work' }, html`<p>${text}</p>`);
