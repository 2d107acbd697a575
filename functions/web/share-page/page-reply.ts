import { contentTypes } from '../../../shared/http/http.ts';
import { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { pagePolicy } from '../layout/layout.ts';
import { failurePage } from './simple-pages.ts';

/** The headers of our pages of shares. */
export const pageHeaders = (): Readonly<Record<string, string>> => ({
  'content-security-policy': pagePolicy({ frames: getSetting('SNIPPETS_URL'), anyImages: true }),
  // A window that the framed snippet opens gets no way back to this one, nor this one's pages to their opener.
  'cross-origin-opener-policy': 'same-origin',
});

/** How a failure looks to a person. */
export const failed = (failure: PublicError): Reply<string> =>
  new Reply(failurePage(failure), { status: failure.status, headers: pageHeaders() });

/** How a failure of the text of a share looks: to a browser the page, to a program a line of text. */
export const failedText = (failure: PublicError): Reply<string> =>
  failure.prefersHtml
    ? failed(failure)
    : new Reply(`${failure.message}\n`, {
        status: failure.status,
        headers: { 'content-type': contentTypes.text },
      });
