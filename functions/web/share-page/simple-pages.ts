import { randomBytes } from 'node:crypto';
import type { PublicError } from '../../../shared/http/route.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import { countViewsLeft, type FoundShare } from '../../api/share/record/share.ts';
import { layout } from '../layout/layout.ts';
import { sharePageTexts as texts } from './texts.ts';

/** A page that is one card with a heading. */
const card = (title: string, heading: string, content: Html): string =>
  layout({
    title,
    kind: 'notice',
    main: html`<main id="main"><div class="card">
<h1>${heading}</h1>
${content}
</div></main>`,
  });

/**
 * What stands before a share that has a password or a limit, and tells nothing of a protected one.
 * Looking at it counts nothing, so that link previews and mail scanners use up no view.
 */
export const openPage = (found: FoundShare, wrong?: string): string => {
  const { id, password } = found.share;
  const left = countViewsLeft(found);
  const cost = left === null ? undefined : html`<p>${texts.openCost(left)}</p>`;
  return card(
    texts.openTitle,
    texts.openHeading,
    html`<form method="post" action="/s/${id}/open">
${password ? passwordField(wrong) : cost}
<input type="hidden" name="claim" value="${randomBytes(9).toString('base64url')}">
<button type="submit">${texts.open}</button>
</form>`,
  );
};

const passwordField = (wrong: string | undefined): Html => html`<p>${texts.openProtected}</p>
<div class="field"><label for="password">${texts.password}</label>
<input id="password" name="password" type="text" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"${wrong === undefined ? undefined : html` aria-invalid="true" aria-describedby="wrong"`} autofocus>
${wrong === undefined ? undefined : html`<p class="wrong" id="wrong" role="alert">${wrong}</p>`}</div>`;

/** What is shown where a share has to be opened on its page first. */
export const viewRequiredPage = (id: string): string =>
  card(
    texts.openFirst,
    texts.openFirst,
    html`<p>${texts.openFirstWhy}</p>
<p><a class="button" href="/s/${id}">${texts.openFirstLink}</a></p>`,
  );

/** The form to report a share by; it tells nothing of it. `wrong` says what was not right about the last try. */
export const reportPage = (
  id: string,
  { reason = '', wrong }: { readonly reason?: string; readonly wrong?: string } = {},
): string =>
  card(
    texts.reportTitle,
    texts.reportTitle,
    html`<form method="post" action="/s/${id}/report">
<p>${texts.reportWhy}</p>
<div class="field"><label for="reason">${texts.reportReason}</label>
<textarea id="reason" name="reason" rows="5" required minlength="3" maxlength="1000" aria-describedby="hint"${wrong === undefined ? undefined : html` aria-invalid="true"`}>
${reason}</textarea>
<p class="${wrong === undefined ? 'hint' : 'wrong'}" id="hint"${wrong === undefined ? undefined : html` role="alert"`}>${wrong ?? texts.reportHint}</p></div>
<button type="submit">${texts.reportSend}</button>
</form>
<p class="other"><a href="/s/${id}">${texts.reportBack}</a></p>`,
  );

/** What is shown once a share is reported. */
export const reportedPage = (id: string): string =>
  card(
    texts.reported,
    texts.reported,
    html`<p>${texts.reportedText}</p>
<p><a href="/s/${id}">${texts.reportBack}</a></p>`,
  );

/** Without a text the failure's own message is shown. */
const failures: Readonly<Record<string, { readonly title: string; readonly text?: string }>> = {
  NOT_FOUND: { title: texts.notFound, text: texts.notFoundText },
  UNAUTHORIZED: { title: texts.notOpened },
  VALIDATION_ERROR: { title: texts.notOpened },
  RATE_LIMITED: { title: texts.tooMany },
  SERVICE_UNAVAILABLE: { title: texts.busy, text: texts.busyText },
};

/** `This share has ended: its time is over` as a title and a text. */
const titled = (message: string): { readonly title: string; readonly text: string } => {
  const [title = '', text = ''] = message.split(': ', 2);
  return { title, text: text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
};

/** What a reader is shown instead of an error envelope. */
export const failurePage = ({ code, message, requestId }: PublicError): string => {
  const known = code === 'GONE' ? titled(message) : failures[code];
  const { title, text = message } = known ?? {
    title: texts.failed,
    text: texts.failedText(requestId),
  };
  return card(title, title, text === '' ? html`` : html`<p>${text}</p>`);
};
