import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { html } from '../../../shared/text/html.ts';
import { findGoneStatus } from '../../api/share/intake/request.ts';
import { lonePage, toStart } from '../layout/error-page.ts';
import { errorPageTexts } from '../layout/error-texts.ts';
import { pagePolicy } from '../layout/policy.ts';
import { readTheme, type Theme } from '../layout/theme.ts';
import { requestTexts as texts } from './texts.ts';

/** Creates a page response with its content security policy. */
export const page = (body: string, status = 200): Reply<string> =>
  new Reply(body, { status, headers: { 'content-security-policy': pagePolicy() } });

/** What the page of an error says; without a text, the error's message. */
interface ErrorTexts {
  readonly title: string;
  readonly text?: string;
}

const errorTexts: Readonly<Record<string, ErrorTexts>> = {
  NOT_FOUND: { title: texts.notFound, text: texts.notFoundText },
  VALIDATION_ERROR: { title: texts.notSent },
  RATE_LIMITED: { title: texts.tooMany },
  SERVICE_UNAVAILABLE: { title: texts.busy, text: texts.busyText },
};

const toErrorTexts = ({ code, message }: PublicError): ErrorTexts => {
  const status = code === 'GONE' ? findGoneStatus(message) : undefined;
  if (status) return { title: message.replace(/\.$/, ''), text: texts.gone[status] };
  return errorTexts[code] ?? { title: texts.failed, text: texts.failedText };
};

/** Responds to an error with a page. */
export const replyWithErrorPage = (error: PublicError): Reply<string> => {
  const { status, message, requestId, cookies } = error;
  const { title, text = message } = toErrorTexts(error);
  const body = lonePage({
    title,
    content: html`<p>${text}</p>`,
    actions: toStart,
    footer: errorPageTexts.about(status, requestId),
    theme: readTheme(cookies),
  });
  return page(body, status);
};

/** Renders the report form, which tells nothing about the request. */
export const reportPage = (
  id: string,
  theme: Theme | undefined,
  { reason = '', error }: { readonly reason?: string; readonly error?: string } = {},
): string =>
  lonePage({
    title: texts.report,
    theme,
    content: html`<p>${texts.reportWhy}</p>
<form method="post" action="/r/${id}/report">
<div class="field"><label for="reason">${texts.reportReason}</label>
<textarea class="in" id="reason" name="reason" rows="5" required minlength="3" maxlength="1000" aria-describedby="hint"${error === undefined ? undefined : html` aria-invalid="true"`}>
${reason}</textarea>
<p class="${error === undefined ? 'hint' : 'err'}" id="hint"${error === undefined ? undefined : html` role="alert"`}>${error ?? texts.reportHint}</p></div>
<button class="btn primary lg wide" type="submit">${texts.reportSend}</button>
</form>
<p><a href="/r/${id}">${texts.reportBack}</a></p>`,
  });

/** Renders the confirmation of a report. */
export const reportedPage = (id: string, theme: Theme | undefined): string =>
  lonePage({
    title: texts.reported,
    theme,
    content: html`<p>${texts.reportedText}</p>`,
    actions: html`<a class="btn primary lg" href="/r/${id}">${texts.reportBack}</a>`,
  });
