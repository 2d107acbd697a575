import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { Reply } from '../../shared/reply.ts';
import { route } from '../../shared/route.ts';
import { setting } from '../../shared/settings.ts';
import { sandbox } from '../pages/share-page.ts';
import { admits } from '../share/admission.ts';
import { read, textOf } from '../share/reading.ts';

/**
 * What a snippet may do (decisions §4, Isolation): anything within its frame, nothing to the service or its readers.
 * `sandbox` gives it an origin of its own, also when its address is opened by itself.
 */
const snippetPolicy = (): string => {
  const sources = 'https: data: blob:';
  return [
    `sandbox ${sandbox}`,
    "default-src 'none'",
    `script-src ${sources} 'unsafe-inline'`,
    `style-src ${sources} 'unsafe-inline'`,
    `img-src ${sources}`,
    `font-src ${sources}`,
    `media-src ${sources}`,
    "connect-src 'none'",
    "form-action 'none'",
    `frame-ancestors ${setting('PUBLIC_URL')}`,
  ].join('; ');
};

export const routes = [
  route({
    endpoint: 'GET /{id}',
    access: 'public',
    summary: 'The bare HTML of a share, for the frame of its page',
    params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
    query: z.object({ view: z.string().max(2_048).optional() }),
    produces: 'html',
    output: z.string(),
    handle: async ({ params: { id }, query: { view } }) => {
      const found = await read(id);
      if (found.share.language !== 'html' || !(await admits(found, view))) {
        throw new AppError('NOT_FOUND', 'There is nothing at this address');
      }
      const content = await textOf(found, 'source');
      return new Reply(content, { headers: { 'content-security-policy': snippetPolicy() } });
    },
  }),
];
