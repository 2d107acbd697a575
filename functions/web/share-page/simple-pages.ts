import { randomBytes } from 'node:crypto';
import type { PublicError } from '../../../shared/http/route.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { Admission, LockedShare } from '../../api/share/reading/admission.ts';
import { getLink } from '../../api/share/record/links.ts';
import { countViewsLeft, endedError, takenDownError } from '../../api/share/record/share.ts';
import { lonePage, toStart } from '../layout/error-page.ts';
import { errorPageTexts } from '../layout/error-texts.ts';
import { readTheme, type Theme } from '../layout/theme.ts';
import { sharePageTexts as texts } from './texts.ts';

/** What is shown again after a refused form. */
interface Refused {
  /** Whether a script asks first for the session, which shows the owner the share. */
  readonly asksFirst?: boolean;
  readonly error?: string;
  readonly reason?: string;
}

/** Returns how many more views the share and the link allow, or null without a limit. */
const countLeft = (admission: Admission): number | null => {
  const { access, link } = admission;
  const ofShare = countViewsLeft(admission);
  const { viewLimit, views } = link === undefined ? {} : getLink(access, link);
  if (viewLimit === undefined || views === undefined) return ofShare;
  return Math.min(ofShare ?? viewLimit, viewLimit - views);
};

/**
 * Renders the form that opens a share with a password or a view limit. It reveals nothing about a protected share.
 * Showing it consumes no view, so that link previews and email scanners use none up.
 */
export const openPage = (
  admission: Admission,
  theme: Theme | undefined,
  { error, asksFirst = false }: Refused = {},
): string => {
  const { share, link } = admission;
  const { id, password } = share;
  const left = countLeft(admission);
  const cost = left === null ? undefined : html`<p>${texts.openCost(left)}</p>`;
  return lonePage({
    title: texts.openHeading,
    theme,
    scripts: [asksFirst ? 'arrival-resume.js' : 'resume.js'],
    content: html`${password ? html`<p>${texts.openProtected}</p>` : cost}
<form method="post" action="/s/${id}/open">
${password ? passwordField(error) : undefined}<input type="hidden" name="claim" value="${randomBytes(9).toString('base64url')}">
${link === undefined ? undefined : html`<input type="hidden" name="link" value="${link}">\n`}<button class="btn primary lg wide" type="submit">${texts.open}</button>
</form>
<p class="hint"><a href="/s/${id}/report" rel="nofollow">${texts.reportTitle}</a></p>`,
  });
};

const passwordField = (error: string | undefined): Html =>
  html`<div class="field"><label for="password">${texts.password}</label>
<input class="in" id="password" name="password" type="text" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"${error === undefined ? undefined : html` aria-invalid="true" aria-describedby="wrong"`} autofocus>
${error === undefined ? undefined : html`<p class="err" id="wrong" role="alert">${error}</p>`}</div>
`;

const action = (path: string, label: string): Html =>
  html`<a class="btn primary lg" href="${path}">${label}</a>`;

/** Renders the notice that a share has to be opened on its page first. */
export const viewRequiredPage = (
  { share: { id }, link }: LockedShare,
  theme: Theme | undefined,
): string =>
  lonePage({
    title: texts.openFirst,
    theme,
    content: html`<p>${texts.openFirstWhy}</p>`,
    actions: action(link === undefined ? `/s/${id}` : `/s/${id}?link=${link}`, texts.openFirstLink),
  });

/** Renders the report form, which reveals nothing about the share. */
export const reportPage = (
  id: string,
  theme: Theme | undefined,
  { reason = '', error }: Refused = {},
): string =>
  lonePage({
    title: texts.reportTitle,
    theme,
    content: html`<p>${texts.reportWhy}</p>
<form method="post" action="/s/${id}/report">
<div class="field"><label for="reason">${texts.reportReason}</label>
<textarea class="in" id="reason" name="reason" rows="5" required minlength="3" maxlength="1000" aria-describedby="hint"${error === undefined ? undefined : html` aria-invalid="true"`}>
${reason}</textarea>
<p class="${error === undefined ? 'hint' : 'err'}" id="hint"${error === undefined ? undefined : html` role="alert"`}>${error ?? texts.reportHint}</p></div>
<button class="btn primary lg wide" type="submit">${texts.reportSend}</button>
</form>
<p><a href="/s/${id}">${texts.reportBack}</a></p>`,
  });

/** Renders the form that ends a share. */
export const endPage = (
  { share: { id } }: Admission,
  token: string | undefined,
  theme: Theme | undefined,
): string =>
  lonePage({
    title: texts.endTitle,
    theme,
    content: html`<p>${texts.endWhy}</p>
<form method="post" action="/s/${id}/end">
${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">\n`}<button class="btn danger lg wide" type="submit">${texts.endNow}</button>
</form>
<p><a href="/s/${id}">${texts.reportBack}</a></p>`,
  });

/** Renders the confirmation of a report. */
export const reportedPage = (id: string, theme: Theme | undefined): string =>
  lonePage({
    title: texts.reported,
    theme,
    content: html`<p>${texts.reportedText}</p>`,
    actions: action(`/s/${id}`, texts.reportBack),
  });

/** What the page of an error says; without a text, the error's message. */
interface ErrorTexts {
  readonly title: string;
  readonly text?: string;
  /** The way on; by default to the start page. */
  readonly actions?: Html;
}

const errorTexts: Readonly<Record<string, ErrorTexts>> = {
  NOT_FOUND: { title: texts.notFound, text: texts.notFoundText },
  UNAUTHORIZED: { title: texts.notOpened },
  VALIDATION_ERROR: { title: texts.notOpened },
  RATE_LIMITED: { title: texts.tooMany },
  SERVICE_UNAVAILABLE: { title: texts.busy, text: texts.busyText },
};

const goneText = (message: string): string => {
  if (message === takenDownError().message) return texts.takenDownText;
  return message === endedError('views').message ? texts.usedUpText : texts.endedText;
};

const goneTexts = (message: string): ErrorTexts => ({
  title: message.replace(/\.$/, ''),
  text: goneText(message),
  actions: action('/', texts.createOwn),
});

/** Returns what the page of an error says. */
export const toErrorTexts = ({ code, message }: PublicError): ErrorTexts =>
  code === 'GONE'
    ? goneTexts(message)
    : (errorTexts[code] ?? { title: texts.failed, text: texts.failedText });

/** Renders an error as a page. */
export const errorPage = (error: PublicError): string => {
  const { status, message, requestId, cookies } = error;
  const { title, text, actions } = toErrorTexts(error);
  return lonePage({
    title,
    content: html`<p>${text ?? message}</p>`,
    actions: actions ?? toStart,
    footer: errorPageTexts.about(status, requestId),
    // The view of this tab may have been the last.
    ...(error.code === 'GONE' && { scripts: ['resume.js'] as const }),
    theme: readTheme(cookies),
  });
};
