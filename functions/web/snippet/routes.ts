import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content-negotiation.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { findReading } from '../../api/share/reading/access.ts';
import { read, readText } from '../../api/share/reading/reading.ts';
import { readAuthor } from '../../api/share/record/owner.ts';
import { replyWithErrorPage } from './error-page.ts';
import { withFrameScript } from './frame-script.ts';
import { snippetPolicy } from './isolation.ts';
import { previewRoute } from './preview.ts';

export const routes = [
  previewRoute,
  route({
    endpoint: 'GET /{id}',
    access: 'public',
    summary: 'Show the content of a share',
    description: 'Returns the HTML of a share for the frame of its page.',
    params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
    query: z.object({ view: z.string().max(2_048).optional() }),
    headers: z.object(representationHeaders),
    produces: 'html',
    output: Representation,
    failurePage: replyWithErrorPage,
    handle: async ({ params: { id }, query: { view }, headers }) => {
      const found = await read(id);
      const reading = await findReading(found, view);
      if (found.share.language !== 'html' || reading === undefined) {
        throw new AppError('NOT_FOUND', 'Not found.');
      }
      const [content] = await Promise.all([readText(found, 'source'), readAuthor(found.share)]);
      return negotiate(withFrameScript(content), headers, {
        caches: reading === 'free' ? 'public' : undefined,
        headers: {
          'content-security-policy': snippetPolicy(
            reading === 'free' ? found.share.embedOrigins : [],
          ),
        },
      });
    },
  }),
];
