import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { html } from '../../../shared/text/html.ts';
import { findGoneStatus } from '../../api/share/intake/request.ts';
import { lonePage } from '../layout/error-page.ts';
import { errorPageTexts } from '../layout/error-texts.ts';
import { gatePage, way } from '../layout/gate/gate-page.ts';
import { type RefusedReport, reportConfirmation, reportForm } from '../layout/gate/report-pages.ts';
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

const toStart = way('/', errorPageTexts.toStart, 'primary ');

/** Renders the end of a request. */
const gonePage = ({ status, message, requestId, cookies }: PublicError): string => {
  const ended = findGoneStatus(message) ?? 'closed';
  return lonePage({
    title: message.replace(/\.$/, ''),
    content: html`<p>${texts.gone[ended]}</p>`,
    footer: errorPageTexts.about(status, requestId),
    theme: readTheme(cookies),
  });
};

/** Responds to an error with a page. */
export const replyWithErrorPage = (error: PublicError): Reply<string> => {
  const { code, status, message, requestId, cookies } = error;
  if (code === 'GONE') return page(gonePage(error), status);
  const failed = { title: texts.failed, text: texts.failedText };
  const { title, text = message } = errorTexts[code] ?? failed;
  const body = gatePage({
    title,
    mark: 'question',
    about: text,
    content: toStart,
    footer: errorPageTexts.about(status, requestId),
    theme: readTheme(cookies),
  });
  return page(body, status);
};

/** Renders the report form, which tells nothing about the request. */
export const reportPage = (
  id: string,
  theme: Theme | undefined,
  refused: RefusedReport = {},
): string => reportForm({ path: `/r/${id}`, texts, theme }, texts.report, refused);

/** Renders the confirmation of a report. */
export const reportedPage = (id: string, theme: Theme | undefined): string =>
  reportConfirmation({ path: `/r/${id}`, texts, theme });
