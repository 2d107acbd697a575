import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { snippetNotice } from './notice.ts';
import { snippetTexts as texts } from './texts.ts';

/** The request header by which a browser says what it loads a document for. https://www.w3.org/TR/fetch-metadata/ */
export const destination = 'sec-fetch-dest';

/** The names of the addresses of this host that hold no share: frames of the service's own pages. */
export const ownFrames = ['preview', 'diagram'] as const;

/** What the responses of this host vary by, besides their encoding. */
export const variesByDestination = { varies: [destination] } as const;

export const destinationHeaders = { [destination]: z.string().optional() };

/**
 * Returns where a browser is led that opens an address of this host by itself: there, nothing would tell whose document it
 * shows (decisions.md#isolation). `path` is that of the page which frames it. An address with a view token leads to a
 * notice, so that the token isn't spent on something else. Returns undefined for a frame, and for clients that say nothing.
 */
export const leadToPage = (
  headers: { readonly [destination]?: string | undefined },
  path: string,
  view?: string,
): Reply<string> | undefined => {
  if (headers[destination] !== 'document') return undefined;
  const url = `${getSetting('PUBLIC_URL')}${path}`;
  return view === undefined
    ? new Reply('', { status: 303, headers: { location: url, vary: destination } })
    : snippetNotice(texts.onlyWithinPage, {
        status: 403,
        link: { url, text: texts.goToSnippet },
        headers: { vary: destination },
      });
};
