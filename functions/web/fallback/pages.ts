import type { Host } from '../../../shared/http/host.ts';
import { Reply } from '../../../shared/http/reply.ts';
import type { FailurePage, ShownFailure } from '../../../shared/http/route.ts';
import { html } from '../../../shared/text/html.ts';
import { layout, pagePolicy } from '../layout/layout.ts';
import { fallbackTexts as texts } from './texts.ts';

/** A known address of the API stays with the error envelope, whoever asks. */
const isPage = ({ prefersHtml, code, path }: ShownFailure): boolean =>
  prefersHtml && (code !== 'METHOD_NOT_ALLOWED' || !/^\/(api\/|health$)/.test(path));

const titleOf = ({ code }: ShownFailure): string =>
  code === 'NOT_FOUND' ? texts.notFound : texts.notUsable;

const servicePage: FailurePage = (failure) => {
  if (!isPage(failure)) return undefined;
  const title = titleOf(failure);
  const main = html`<main id="main"><div class="card">
<h1>${title}</h1>
<p>${failure.code === 'NOT_FOUND' ? texts.notFoundText : failure.message}</p>
<p><a class="button" href="/">${texts.toStart}</a></p>
</div></main>`;
  return new Reply(layout({ title, kind: 'notice', main }), {
    headers: { 'content-security-policy': pagePolicy() },
  });
};

/** The host of snippets has none of our styles, and leads nowhere. */
const snippetsPage: FailurePage = (failure) => {
  if (!isPage(failure)) return undefined;
  const body = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${titleOf(failure)}</title>
<p>${titleOf(failure)}</p>
</html>
`.markup;
  const policy = "default-src 'none'; sandbox; frame-ancestors 'none'";
  return new Reply(body, { headers: { 'content-security-policy': policy } });
};

/** How what is no route of a host looks to a browser. */
export const fallbackPages: Readonly<Record<Host, FailurePage>> = {
  service: servicePage,
  snippets: snippetsPage,
};
