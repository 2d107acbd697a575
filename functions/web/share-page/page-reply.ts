import { contentTypes } from '../../../shared/http/http.ts';
import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { pagePolicy } from '../layout/policy.ts';
import { errorPage } from './simple-pages.ts';

/** What a page of a share has of the snippets host. */
interface Parts {
  readonly hasFrames?: boolean;
  /** Whether its script reads files of the share. */
  readonly readsFiles?: boolean;
}

/** Returns the policy of the pages of a share, which may have parts of the snippets host and these origins can frame, by default none. */
export const sharePagePolicy = (
  { hasFrames = false, readsFiles = false }: Parts,
  ancestors?: readonly string[],
): string =>
  pagePolicy({
    ...(hasFrames && { frames: getSetting('SNIPPETS_URL') }),
    ...(readsFiles && { connects: getSetting('SNIPPETS_URL') }),
    anyImages: true,
    images: getSetting('SNIPPETS_URL'),
    ...(ancestors && { ancestors }),
  });

/** Isolates the text if a browser interprets it as something else. */
export const rawPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Returns the headers of a share's pages. */
export const pageHeaders = (parts: Parts = {}): Readonly<Record<string, string>> => ({
  'content-security-policy': sharePagePolicy(parts),
  // Cuts the link between this page and its opener, and any window that the snippet opens.
  'cross-origin-opener-policy': 'same-origin',
});

/** Responds to an error with a page. */
export const replyWithErrorPage = (error: PublicError): Reply<string> =>
  new Reply(errorPage(error), { status: error.status, headers: pageHeaders() });

/** Responds to an error of a share's source: with a page for browsers, with a line of text otherwise. */
export const replyWithErrorText = (error: PublicError): Reply<string> =>
  error.prefersHtml
    ? replyWithErrorPage(error)
    : new Reply(`${error.message}\n`, {
        status: error.status,
        headers: { 'content-type': contentTypes.text },
      });
