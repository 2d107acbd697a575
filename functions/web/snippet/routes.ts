import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content-negotiation.ts';
import { countEdgeSeconds, isForEveryone } from '../../../shared/http/edge.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createShortMemory } from '../../../shared/runtime/short-memory.ts';
import { findReading } from '../../api/share/reading/access.ts';
import { readText, readWithOwner } from '../../api/share/reading/reading.ts';
import { readAuthor } from '../../api/share/record/owner.ts';
import { assertOpen } from '../../api/share/record/share.ts';
import { replyWithErrorPage } from './error-page.ts';
import { withFrameScript } from './frame-script.ts';
import { snippetPolicy } from './isolation.ts';
import { previewRoute } from './preview.ts';
import { destinationHeaders, leadToPage, variesByDestination } from './top-level.ts';

/** @throws AppError NOT_FOUND, GONE */
const readSnippet = async (id: string, view?: string) => {
  const found = await readWithOwner(id);
  const reading = await findReading(found, view);
  if (found.share.language !== 'html' || reading === undefined) {
    throw new AppError('NOT_FOUND', 'Not found.');
  }
  const [content] = await Promise.all([readText(found, 'source'), readAuthor(found)]);
  return { found, reading, document: withFrameScript(content) };
};

/** UTF-16 code units of all snippets: 16 MB of the function's memory. */
const maxLength = 8 * 1024 * 1024;

const remember = createShortMemory<Awaited<ReturnType<typeof readSnippet>>>(
  maxLength,
  ({ document }) => document.length,
);

export const routes = [
  previewRoute,
  route({
    endpoint: 'GET /{id}',
    access: 'public',
    summary: 'Show the content of a share',
    description: 'Returns the HTML of a share for the frame of its page.',
    params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
    query: z.object({ view: z.string().max(2_048).optional() }),
    headers: z.object({ ...representationHeaders, ...destinationHeaders }),
    produces: 'html',
    output: Representation,
    redirects: 'Leads to the page of the share, for a browser that opens the address by itself.',
    failurePage: replyWithErrorPage,
    cache: 'for-seconds',
    handle: async (request) => {
      const { params, query, headers } = request;
      const { id } = params;
      const page = leadToPage(headers, `/s/${id}`, query.view);
      if (page) return page;
      const isShared = query.view === undefined && isForEveryone(request);
      const { found, reading, document } = isShared
        ? await remember(id, () => readSnippet(id))
        : await readSnippet(id, query.view);
      if (isShared) assertOpen(found);
      return negotiate(document, headers, {
        caches: reading === 'free' ? 'public' : undefined,
        ...(isShared && { edgeSeconds: countEdgeSeconds(found.share.expiresAt) }),
        ...variesByDestination,
        headers: {
          'content-security-policy': snippetPolicy(
            reading === 'free' ? found.share.embedOrigins : [],
          ),
        },
      });
    },
  }),
];
