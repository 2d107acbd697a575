import * as z from 'zod';
import type { Route } from '../../../shared/http/route.ts';

const exampleTag = '"1-Xf3k_9aQ"';

/** Says whether a route changes a record that the client may have read before. */
export const changesRecord = ({ method, status, versionOf }: Route): boolean =>
  versionOf !== undefined && method !== 'GET' && status !== 201;

/** Response headers that several routes send. */
export const responseHeaders = {
  etag: z.string().meta({
    description: 'The version of the record. Send it as `If-Match` or `If-None-Match`.',
    examples: [exampleTag],
    header: { id: 'ETag' },
  }),
  replayed: z
    .literal('true')
    .optional()
    .meta({
      description: 'Present when this is the stored response to an earlier, identical request.',
      header: { id: 'IdempotencyReplayed' },
    }),
  nextCursor: z
    .string()
    .optional()
    .meta({
      description: 'Present if more rows follow: the `cursor` of the next part.',
      header: { id: 'NextCursor' },
    }),
  next: z
    .string()
    .optional()
    .meta({
      description: 'Present if more rows follow: the address of the next part, as `rel="next"`.',
      header: { id: 'NextPart' },
    }),
  location: z.url().meta({ description: 'Where to go next.', header: { id: 'Location' } }),
};

const header = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

const ifNoneMatch = header(
  'An `ETag` that you have. If it is still current, the response is 304 without a body.',
  exampleTag,
);
const ifMatch = header(
  'The `ETag` that you read. If the record has changed since, the response is 412.',
  exampleTag,
);
const idempotencyKey = header(
  'A unique name of this request: 1 to 255 visible ASCII characters. For 24 hours, repeating the request with the same key and body returns the same response and creates nothing new.',
  '6d2a6c1e-3f6b-4f0e-9a52-0a3c5e1d7b94',
);

/** Returns the request headers that a route reads, those of its conditional and idempotent handling included. */
export const requestHeaders = (route: Route): z.ZodObject | undefined => {
  const { method, headers, versionOf, idempotency } = route;
  const isConditional = versionOf && method === 'GET';
  const handled = {
    ...((isConditional || headers?.shape['if-none-match']) && { 'if-none-match': ifNoneMatch }),
    ...(changesRecord(route) && { 'if-match': ifMatch }),
    ...(idempotency && { 'idempotency-key': idempotencyKey }),
  };
  if (Object.keys(handled).length === 0) return headers;
  return (headers ?? z.object({})).extend(handled);
};
