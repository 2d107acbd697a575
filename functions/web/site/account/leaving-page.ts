import type { StoredUser } from '../../../../shared/auth/user.ts';
import { html } from '../../../../shared/text/html.ts';
import { toLoginAfterSignOut } from '../../layout/addresses/destination.ts';
import { card } from '../../layout/card.ts';
import { scriptedForm } from '../../layout/form.ts';
import type { Theme } from '../../layout/theme.ts';
import { leavingTexts as texts } from './texts.ts';

/** What the page of an account that waits to be deleted is rendered for. */
export interface LeavingVisit {
  readonly theme: Theme | undefined;
  /** The page to open once the account is kept. */
  readonly destination: string;
}

/** Formats the day of a time (ISO 8601) where the user is: `29 November`. */
const formatDayOfYear = (at: string, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone }).format(
    Date.parse(at),
  );

/** Renders the page where a user keeps the account, which is deleted at `deletesAt`, or signs out. */
export const leavingPage = (
  { email, timezone }: Pick<StoredUser, 'email' | 'timezone'>,
  deletesAt: string,
  { theme, destination }: LeavingVisit,
): string => {
  const day = formatDayOfYear(deletesAt, timezone);
  return card({
    title: texts.title,
    heading: texts.heading(day),
    theme,
    scripts: ['leaving.js'],
    content: html`<p>${texts.about(html`<strong dir="auto">${email}</strong>`)}</p>
${scriptedForm('keep', html`<input type="hidden" name="to" value="${destination}">`, texts.keep)}
<form id="sign-out" method="post" novalidate><input type="hidden" name="to" value="${toLoginAfterSignOut()}">
<button type="submit" class="btn ghost lg wide">${texts.signOut}</button></form>`,
  });
};
