import type { Host } from '../../../shared/http/host.ts';
import { Reply } from '../../../shared/http/reply.ts';
import type { FailurePage, PublicError } from '../../../shared/http/route.ts';
import { html } from '../../../shared/text/html.ts';
import { leadingToShare } from '../layout/addresses/share-address.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { fallbackTexts as texts } from './texts.ts';

/** Tells whether the response is a page. Known API paths always return the error envelope. */
const requiresPage = ({ prefersHtml, code, path }: PublicError): boolean =>
  prefersHtml && (code !== 'METHOD_NOT_ALLOWED' || !/^\/(api\/|health$)/.test(path));

const servicePage: FailurePage = leadingToShare((failure) =>
  requiresPage(failure) ? replyWithErrorPage(failure) : undefined,
);

const getTitle = ({ code }: PublicError): string =>
  code === 'NOT_FOUND' ? texts.notFound : texts.notUsable;

/**
 * The snippets host has no styles and no other pages. A snippet that goes to an unknown address is told of to the page that
 * frames it (decisions.md#isolation), and once more when it asks, because it may have started to listen later.
 */
const snippetsPage: FailurePage = (failure) => {
  if (!requiresPage(failure)) return undefined;
  const body = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${getTitle(failure)}</title>
<p>${getTitle(failure)}</p>
<script>(onmessage=()=>parent.postMessage("left","*"))()</script>
</html>
`.markup;
  const policy =
    "default-src 'none'; script-src 'unsafe-inline'; sandbox allow-scripts; frame-ancestors *";
  return new Reply(body, { headers: { 'content-security-policy': policy } });
};

/** The pages for unknown routes of each host. */
export const fallbackPages: Readonly<Record<Host, FailurePage>> = {
  service: servicePage,
  snippets: snippetsPage,
};
