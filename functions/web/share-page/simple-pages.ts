import type { PublicError } from '../../../shared/http/route.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { Admission } from '../../api/share/reading/admission.ts';
import {
  codeRequired,
  endedError,
  type StoredShare,
  signInRequired,
  takenDownError,
} from '../../api/share/record/share.ts';
import { lonePage } from '../layout/error-page.ts';
import { errorPageTexts } from '../layout/error-texts.ts';
import { gatePage, way } from '../layout/gate/gate-page.ts';
import { type RefusedReport, reportConfirmation, reportForm } from '../layout/gate/report-pages.ts';
import { readTheme, type Theme } from '../layout/theme.ts';
import { isArrival } from '../layout/visit.ts';
import { notFoundPage, signInPage, toName } from './gates/account-pages.ts';
import { gateTexts } from './gates/texts.ts';
import { sharePageTexts as texts } from './texts.ts';

const toShare = (addressId: string): Html =>
  html`<a href="/s/${addressId}">${texts.reportBack}</a>`;

/** Renders the report form, which reveals nothing about the share but that it is sealed: then moderators can’t read it. */
export const reportPage = (
  {
    addressId,
    share,
  }: Pick<Admission, 'addressId'> & { readonly share: Pick<StoredShare, 'sealed'> },
  theme: Theme | undefined,
  refused: RefusedReport = {},
): string => {
  const why = share.sealed ? `${texts.reportWhy} ${texts.reportSealed}` : texts.reportWhy;
  const shown = { path: `/s/${addressId}`, texts: { ...texts, reportWhy: why }, theme };
  return reportForm(shown, texts.reportTitle, refused);
};

/** Renders the form that ends a share. */
export const endPage = (
  { addressId }: Admission,
  token: string | undefined,
  theme: Theme | undefined,
): string =>
  gatePage({
    title: texts.endTitle,
    mark: 'cross',
    theme,
    about: texts.endWhy,
    content: html`<form method="post" action="/s/${addressId}/end">
${token === undefined ? undefined : html`<input type="hidden" name="token" value="${token}">\n`}<button class="btn danger lg wide" type="submit">${texts.endNow}</button>
</form>
`,
    note: toShare(addressId),
  });

/** Renders the confirmation of a report. */
export const reportedPage = (addressId: string, theme: Theme | undefined): string =>
  reportConfirmation({ path: `/s/${addressId}`, texts, theme });

/** What the page of an error says; without a text, the error's message. */
interface ErrorTexts {
  readonly title: string;
  readonly text?: string;
}

const errorTexts: Readonly<Record<string, ErrorTexts>> = {
  NOT_FOUND: { title: texts.notFound, text: texts.notFoundText },
  UNAUTHORIZED: { title: texts.notOpened },
  VALIDATION_ERROR: { title: texts.notOpened },
  UNPROCESSABLE: { title: gateTexts.sealed, text: gateTexts.sealedWhy },
  RATE_LIMITED: { title: texts.tooMany },
  SERVICE_UNAVAILABLE: { title: texts.busy, text: texts.busyText },
};

const goneText = (message: string): string => {
  if (message === takenDownError().message) return texts.takenDownText;
  return message === endedError('views').message ? texts.usedUpText : texts.endedText;
};

/** Returns what the page of an error says. */
export const toErrorTexts = ({ code, message }: PublicError): ErrorTexts =>
  code === 'GONE'
    ? { title: message.replace(/\.$/, ''), text: goneText(message) }
    : (errorTexts[code] ?? { title: texts.failed, text: texts.failedText });

/** Whether a share isn’t open to all, and its reader has to sign in first. */
export const isSignInRequired = ({ message }: PublicError): boolean =>
  message === signInRequired().message;

const about = ({ status, requestId }: PublicError): string =>
  errorPageTexts.about(status, requestId);

/** Renders the end of a share or a link. The view of this tab may have been the last, or the reader may be the owner. */
const gonePage = (error: PublicError): string => {
  const { title, text } = toErrorTexts(error);
  const asksFirst = isArrival({ 'sec-fetch-site': error.site }, error.cookies);
  return lonePage({
    title,
    content: html`<p>${text}</p>`,
    actions: html`<a class="btn primary lg" href="/">${texts.createOwn}</a>`,
    footer: about(error),
    scripts: [asksFirst ? 'arrival-resume.js' : 'resume.js'],
    theme: readTheme(error.cookies),
  });
};

/** Renders an error as a page. */
export const errorPage = (error: PublicError): string => {
  if (error.code === 'GONE') return gonePage(error);
  if (error.code === 'NOT_FOUND') return notFoundPage(error);
  if (isSignInRequired(error)) return signInPage(error);
  const { title, text = error.message } = toErrorTexts(error);
  // The page of a link that asks for a code is the way on from its other addresses.
  const asksForCode = error.message === codeRequired().message;
  return gatePage({
    title,
    mark: asksForCode ? 'mail' : 'question',
    about: text,
    content: asksForCode
      ? way(`/s/${toName(error)}`, gateTexts.openFirstLink, 'primary ')
      : way('/', errorPageTexts.toStart, 'primary '),
    footer: about(error),
    theme: readTheme(error.cookies),
  });
};
