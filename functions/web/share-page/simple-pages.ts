import { randomBytes } from 'node:crypto';
import type { PublicError } from '../../../shared/http/route.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import { countViewsLeft, type FoundShare } from '../../api/share/record/share.ts';
import { layout } from '../layout/layout.ts';
import { sharePageTexts as texts } from './texts.ts';

/** Renders a page of one card with a heading. */
const card = (title: string, heading: string, content?: Html): string =>
  layout({
    title,
    kind: 'notice',
    main: html`<main id="main"><div class="card">
<h1>${heading}</h1>
${content}
</div></main>`,
  });

/**
 * Renders the form that opens a share with a password or a view limit. It reveals nothing about a protected share.
 * Showing it consumes no view, so that link previews and email scanners use none up.
 */
export const openPage = (found: FoundShare, error?: string): string => {
  const { id, password } = found.share;
  const left = countViewsLeft(found);
  const cost = left === null ? undefined : html`<p>${texts.openCost(left)}</p>`;
  return card(
    texts.openTitle,
    texts.openHeading,
    html`<form method="post" action="/s/${id}/open">
${password ? passwordField(error) : cost}
<input type="hidden" name="claim" value="${randomBytes(9).toString('base64url')}">
<button type="submit">${texts.open}</button>
</form>`,
  );
};

const passwordField = (error: string | undefined): Html => html`<p>${texts.openProtected}</p>
<div class="field"><label for="password">${texts.password}</label>
<input id="password" name="password" type="text" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"${error === undefined ? undefined : html` aria-invalid="true" aria-describedby="wrong"`} autofocus>
${error === undefined ? undefined : html`<p class="wrong" id="wrong" role="alert">${error}</p>`}</div>`;

/** Renders the notice that a share has to be opened on its page first. */
export const viewRequiredPage = (id: string): string =>
  card(
    texts.openFirst,
    texts.openFirst,
    html`<p>${texts.openFirstWhy}</p>
<p><a class="button" href="/s/${id}">${texts.openFirstLink}</a></p>`,
  );

/** Renders the report form, which reveals nothing about the share. `error` is about the last attempt. */
export const reportPage = (
  id: string,
  { reason = '', error }: { readonly reason?: string; readonly error?: string } = {},
): string =>
  card(
    texts.reportTitle,
    texts.reportTitle,
    html`<form method="post" action="/s/${id}/report">
<p>${texts.reportWhy}</p>
<div class="field"><label for="reason">${texts.reportReason}</label>
<textarea id="reason" name="reason" rows="5" required minlength="3" maxlength="1000" aria-describedby="hint"${error === undefined ? undefined : html` aria-invalid="true"`}>
${reason}</textarea>
<p class="${error === undefined ? 'hint' : 'wrong'}" id="hint"${error === undefined ? undefined : html` role="alert"`}>${error ?? texts.reportHint}</p></div>
<button type="submit">${texts.reportSend}</button>
</form>
<p class="other"><a href="/s/${id}">${texts.reportBack}</a></p>`,
  );

/** Renders the confirmation of a report. */
export const reportedPage = (id: string): string =>
  card(
    texts.reported,
    texts.reported,
    html`<p>${texts.reportedText}</p>
<p><a href="/s/${id}">${texts.reportBack}</a></p>`,
  );

/** The pages of known errors. Without a text, the page shows the error's message. */
const errorTexts: Readonly<Record<string, { readonly title: string; readonly text?: string }>> = {
  NOT_FOUND: { title: texts.notFound, text: texts.notFoundText },
  UNAUTHORIZED: { title: texts.notOpened },
  VALIDATION_ERROR: { title: texts.notOpened },
  RATE_LIMITED: { title: texts.tooMany },
  SERVICE_UNAVAILABLE: { title: texts.busy, text: texts.busyText },
};

/** Renders an error as a page. The message of an ended share says it all and becomes the heading. */
export const errorPage = ({ code, message, requestId }: PublicError): string => {
  if (code === 'GONE') return card(message, message);
  const { title, text = message } = errorTexts[code] ?? {
    title: texts.failed,
    text: texts.failedText(requestId),
  };
  return card(title, title, html`<p>${text}</p>`);
};
