import { type Html, html } from '../../shared/html.ts';
import { layout } from '../pages/layout.ts';
import type { LinkKind } from './recovery.ts';

const notice = (title: string, content: Html): string =>
  layout({ title: `${title} · Handbill`, kind: 'notice', main: html`<main>${content}</main>` });

const words = {
  reset: {
    action: '/reset',
    title: 'Choose a new password',
    about: 'Setting it signs you out everywhere.',
    whatNext: html`<p><a href="/forgot">Ask for a new link</a></p>`,
  },
  invitation: {
    action: '/invite',
    title: 'You are invited',
    about: 'Choose a password for your account.',
    whatNext: html`<p>If you have chosen a password, <a href="/login">sign in</a>. Otherwise ask whoever invited you for a new link.</p>`,
  },
} as const;

/** What the form behind a link is filled with. `wrong` says what was not right about the last try. */
export interface PasswordForm {
  readonly token: string;
  readonly email: string;
  readonly wrong?: string;
}

/** The form behind a link, for the account that the link is good for. */
export const passwordPage = (kind: LinkKind, { token, email, wrong }: PasswordForm): string => {
  const { action, title, about } = words[kind];
  return notice(
    title,
    html`<form class="card" method="post" action="${action}">
<h1>${title}</h1>
<p>${about} It is the account of <strong>${email}</strong>.</p>
${wrong === undefined ? undefined : html`<p class="wrong" id="wrong" role="alert">${wrong}</p>`}
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
<label for="password">New password</label>
<input id="password" name="password" type="password" required minlength="6" autocomplete="new-password">
<label for="confirmPassword">The same password again</label>
<input id="confirmPassword" name="confirmPassword" type="password" required minlength="6" autocomplete="new-password">
<button type="submit">Set the password</button>
</form>`,
  );
};

/** What is shown when the password is set. */
export const passwordSetPage = (): string =>
  notice(
    'Your password is set',
    html`<div class="card"><h1>Your password is set</h1><p><a href="/login">Sign in with it</a></p></div>`,
  );

/** What is shown for a link that is not good, whatever the reason. */
export const badLinkPage = (kind: LinkKind): string =>
  notice(
    'This link is not valid',
    html`<div class="card"><h1>This link is not valid</h1>
<p>It was used already, is too old, or a newer one took its place.</p>
${words[kind].whatNext}</div>`,
  );

/** What is shown when something else went wrong. */
export const failedPage = (text: string): string =>
  notice('Not done', html`<div class="card"><h1>That did not work</h1><p>${text}</p></div>`);
