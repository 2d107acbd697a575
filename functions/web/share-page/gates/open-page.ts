import { randomBytes } from 'node:crypto';
import { type Html, html } from '../../../../shared/text/html.ts';
import type { Admission, LockedShare } from '../../../api/share/reading/admission.ts';
import { getLink } from '../../../api/share/record/links.ts';
import { countViewsLeft } from '../../../api/share/record/share.ts';
import { gatePage, way } from '../../layout/gate/gate-page.ts';
import { siteTexts } from '../../layout/texts.ts';
import type { Theme } from '../../layout/theme.ts';
import { gateTexts as texts } from './texts.ts';

/** What the form that opens a share is shown for. */
interface Asked {
  /** Whether a script asks first for the session, which shows the owner the share. */
  readonly asksFirst?: boolean;
  /** What was wrong with the password. */
  readonly error?: string;
}

/** Returns how many more views the share and the link allow, or null without a limit. */
export const countLeft = (admission: Admission): number | null => {
  const { access, link } = admission;
  const ofShare = countViewsLeft(admission);
  const { viewLimit, views } = link === undefined ? {} : getLink(access, link);
  if (viewLimit === undefined || views === undefined) return ofShare;
  return Math.min(ofShare ?? viewLimit, viewLimit - views);
};

/** Renders the links below the card of a share that its reader can open. */
export const footer = (addressId: string): Html =>
  html`<a href="/s/${addressId}/report" rel="nofollow">${texts.report}</a><a href="/">${siteTexts.about}</a>`;

const passwordField = (error: string | undefined): Html =>
  html`<div class="field"><label for="password">${texts.password}</label>
<input class="in" id="password" name="password" type="text" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="about-password"${error === undefined ? undefined : html` aria-invalid="true"`} autofocus>
<p id="about-password" ${error === undefined ? html`class="hint"` : html`class="err" role="alert"`}>${error ?? texts.passwordHint}</p></div>
`;

/**
 * Renders the form that opens a share with a password or a view limit. It reveals nothing about a protected share.
 * Showing it consumes no view, so that link previews and email scanners use none up.
 */
export const openPage = (
  admission: Admission,
  theme: Theme | undefined,
  { error, asksFirst = false }: Asked = {},
): string => {
  const { addressId } = admission;
  const { password } = admission.share;
  const left = countLeft(admission);
  const cost = left === null ? undefined : texts.openCost(left);
  return gatePage({
    ...(password
      ? { title: texts.enterPassword, about: texts.enterPasswordWhy, note: cost }
      : { title: texts.openHeading, about: cost ?? '' }),
    mark: 'lock',
    theme,
    scripts: [asksFirst ? 'arrival-resume.js' : 'resume.js'],
    content: html`<form method="post" action="/s/${addressId}/open">
${password ? passwordField(error) : undefined}<input type="hidden" name="claim" value="${randomBytes(9).toString('base64url')}">
<button class="btn primary lg wide" type="submit">${texts.open}</button>
</form>
`,
    footer: footer(addressId),
  });
};

/** Renders the notice that a share has to be opened on its page first. */
export const viewRequiredPage = ({ addressId }: LockedShare, theme: Theme | undefined): string =>
  gatePage({
    title: texts.openFirst,
    mark: 'lock',
    theme,
    about: texts.openFirstWhy,
    content: way(`/s/${addressId}`, texts.openFirstLink, 'primary '),
    footer: footer(addressId),
  });
