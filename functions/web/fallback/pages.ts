import type { Host } from '../../../shared/http/host.ts';
import type { FailurePage, PublicError } from '../../../shared/http/route.ts';
import { leadingToShare } from '../layout/addresses/share-address.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { leftPage } from '../snippet/left-page.ts';
import { fallbackTexts as texts } from './texts.ts';

/** Tells whether the response is a page. Known API paths always return the error envelope. */
const requiresPage = ({ prefersHtml, code, path }: PublicError): boolean =>
  prefersHtml && (code !== 'METHOD_NOT_ALLOWED' || !/^\/(api\/|health$)/.test(path));

const servicePage: FailurePage = leadingToShare((failure) =>
  requiresPage(failure) ? replyWithErrorPage(failure) : undefined,
);

const getTitle = ({ code }: PublicError): string =>
  code === 'NOT_FOUND' ? texts.notFound : texts.notUsable;

/** The snippets host has no styles and no other pages. */
const snippetsPage: FailurePage = (failure) =>
  requiresPage(failure) ? leftPage(getTitle(failure)) : undefined;

/** The pages for unknown routes of each host. */
export const fallbackPages: Readonly<Record<Host, FailurePage>> = {
  service: servicePage,
  snippets: snippetsPage,
};
