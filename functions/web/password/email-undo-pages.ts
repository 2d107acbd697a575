import type { FormerEmail } from '../../../shared/auth/user.ts';
import { html } from '../../../shared/text/html.ts';
import { formatTime } from '../../api/users/account/security-texts.ts';
import { card } from '../layout/card.ts';
import { undoTexts as texts } from './texts.ts';

/** Renders the page that undoes a change of the email address. It needs no script. */
export const emailUndoPage = (token: string, { email, changedAt }: FormerEmail): string =>
  card(
    { title: texts.title },
    html`<p>${texts.about(html`<strong>${email}</strong>`, formatTime(changedAt))}</p>
<p>${texts.cost}</p>
<form method="post" action="/undo-email">
<input type="hidden" name="token" value="${token}">
<button type="submit">${texts.submit}</button>
</form>`,
  );

/** Renders the page that confirms that the email address is restored. */
export const emailRestoredPage = (email: string, isEmailSent: boolean): string => {
  const address = html`<strong>${email}</strong>`;
  return card(
    { title: texts.done },
    html`<p>${isEmailSent ? texts.sent(address) : texts.notSent(address)}</p>`,
  );
};
