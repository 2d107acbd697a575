import type { FormerEmail } from '../../../shared/auth/user.ts';
import { html } from '../../../shared/text/html.ts';
import { formatTime } from '../../api/users/account/security-texts.ts';
import { card } from '../layout/card.ts';

/** Renders the page behind a link that undoes a change of the e-mail address. It needs no script. */
export const emailUndoPage = (token: string, { email, changedAt }: FormerEmail): string =>
  card(
    { title: 'Restore your email address' },
    html`<p>The email address of your account was changed from <strong>${email}</strong> to another one on ${formatTime(changedAt)}.</p>
<p>If it wasn’t you, restore it. This ends your password, all sessions and all API tokens.</p>
<form method="post" action="/undo-email">
<input type="hidden" name="token" value="${token}">
<button type="submit">Restore this address</button>
</form>`,
  );

/** Renders what is shown when the address is restored. */
export const emailRestoredPage = (email: string, isMailed: boolean): string =>
  card(
    { title: 'Your email address is restored' },
    isMailed
      ? html`<p>A link to set a new password is on its way to <strong>${email}</strong>.</p>`
      : html`<p>Your address is <strong>${email}</strong> again. Contact an administrator for a link to set a new password.</p>`,
  );
