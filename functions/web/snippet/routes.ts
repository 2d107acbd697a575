import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content/content-negotiation.ts';
import { countEdgeSeconds, isForEveryone } from '../../../shared/http/edge.ts';
import { route } from '../../../shared/http/route.ts';
import { getExpiry } from '../../../shared/input/share-age.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { type Admission, admit, createSharedMemory } from '../../api/share/reading/admission.ts';
import { diagramRoutes } from './diagram.ts';
import { replyWithErrorPage } from './error-page.ts';
import { fileRoutes } from './files/routes.ts';
import { withFrameScript } from './frame-script.ts';
import { snippetPolicy } from './isolation.ts';
import { previewRoute } from './preview.ts';
import { destinationHeaders, leadToPage, variesByDestination } from './top-level.ts';

/** @throws AppError NOT_FOUND unless it is an HTML share that its reader can read */
const toDocument = async (admission: Admission): Promise<string> => {
  if (admission.reading === undefined || admission.share.language !== 'html') {
    throw new AppError('NOT_FOUND', 'Not found.');
  }
  return withFrameScript(await admission.readText('source'), `/s/${admission.addressId}`);
};

/** UTF-16 code units of all snippets: 16 MB of the function's memory. */
const maxLength = 8 * 1024 * 1024;

/** A slug leads to the page of a share, not to its frame. A recipient link has a frame of its own. */
const wanted = { next: 'source', isById: true } as const;

const recall = createSharedMemory<string>(maxLength, (document) => document.length, wanted);

const readSnippet = async (id: string, view: string | undefined) => {
  const admission = await admit(id, { view, isFrame: true }, wanted);
  return { admission, value: await toDocument(admission) };
};

export const routes = [
  previewRoute,
  ...diagramRoutes,
  ...fileRoutes,
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
    errors: {
      UNAUTHORIZED:
        'The share isn’t open to all, and the `view` token of its page is missing or invalid.',
      NOT_ACCEPTABLE: 'The content is larger than 4 MB, and the client accepts no compression.',
    },
    failurePage: replyWithErrorPage,
    cache: 'for-seconds',
    handle: async (request) => {
      const { params, query, headers } = request;
      const { id } = params;
      const page = leadToPage(headers, `/s/${id}`, query.view);
      if (page) return page;
      const isShared = query.view === undefined && isForEveryone(request);
      const { admission, value: document } = isShared
        ? await recall(id, toDocument)
        : await readSnippet(id, query.view);
      const { share, reading } = admission;
      const isFree = reading === 'free';
      return negotiate(document, headers, {
        caches: isFree ? 'public' : undefined,
        hidesLength: !isFree,
        ...(isShared && { edgeSeconds: countEdgeSeconds(getExpiry(share)) }),
        ...variesByDestination,
        headers: { 'content-security-policy': snippetPolicy(isFree ? share.embedOrigins : []) },
      });
    },
  }),
];
