import { type Html, html } from '../../shared/html.ts';
import { layout } from '../pages/layout.ts';

const notice = (title: string, main: Html): string =>
  layout({ title, kind: 'notice', main: html`<main>${main}</main>` });

/** The form behind a link to a new password. `wrong` says what was not right about the last try. */
export const resetPage = (token: string, wrong?: string): string =>
  notice(
    'Choose a new password',
    html`<form class="card" method="post" action="/reset">
<h1>Choose a new password</h1>
${wrong === undefined ? undefined : html`<p class="wrong" role="alert">${wrong}</p>`}
<p>It ends every session that is signed in.</p>
<input type="hidden" name="token" value="${token}">
<label for="password">New password</label>
<input id="password" name="password" type="password" required minlength="6" autocomplete="new-password">
<label for="confirmPassword">The same again</label>
<input id="confirmPassword" name="confirmPassword" type="password" required minlength="6" autocomplete="new-password">
<button type="submit">Set the password</button>
</form>`,
  );

/** What is shown when it is done. */
export const resetDonePage = (): string =>
  notice(
    'Done',
    html`<div class="card"><h1>Your password is set</h1><p>Sign in with it from now on.</p></div>`,
  );

/** What is shown when it can't be done. */
export const resetFailedPage = (text: string): string =>
  notice('Not done', html`<div class="card"><h1>That did not work</h1><p>${text}</p></div>`);
