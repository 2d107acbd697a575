import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content/content-negotiation.ts';
import { createImmutableTexts, immutable } from '../../../shared/http/content/immutable-texts.ts';
import { imageTypes } from '../../../shared/http/http.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import licences from './built/licences.json' with { type: 'json' };
import { findBinary, findText } from './files.ts';

const FileName = z.object({ file: z.string().max(100) });
const AcceptEncoding = z.object({ 'accept-encoding': z.string().optional() });
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const serve = createImmutableTexts(findText);

/** @throws AppError NOT_FOUND */
const serveBinary = async (
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply<Uint8Array>> => {
  const bytes = await findBinary(path);
  if (!bytes) throw new AppError('NOT_FOUND', 'Not found.');
  return new Reply<Uint8Array>(bytes, { headers: { 'cache-control': immutable, ...headers } });
};

export const routes = [
  route({
    endpoint: 'GET /assets/styles/{file}',
    access: 'public',
    cache: 'for-good',
    summary: 'Get a style sheet',
    description: 'The name contains a hash of the content, so it can be cached forever.',
    params: FileName,
    headers: AcceptEncoding,
    output: Bytes,
    produces: 'css',
    handle: ({ params, headers }) =>
      serve(`/assets/styles/${params.file}`, headers['accept-encoding']),
  }),
  route({
    endpoint: 'GET /assets/scripts/{file}',
    access: 'public',
    cache: 'for-good',
    summary: 'Get a script',
    description: 'The name contains a hash of the content, so it can be cached forever.',
    params: FileName,
    headers: AcceptEncoding,
    output: Bytes,
    produces: 'javascript',
    handle: ({ params, headers }) =>
      serve(`/assets/scripts/${params.file}`, headers['accept-encoding']),
  }),
  route({
    endpoint: 'GET /assets/fonts/{file}',
    access: 'public',
    cache: 'for-good',
    summary: 'Get a font',
    description: 'The name contains a hash of the content, so it can be cached forever.',
    params: FileName,
    output: Bytes,
    produces: 'font',
    handle: ({ params }) => serveBinary(`/assets/fonts/${params.file}`),
  }),
  route({
    endpoint: 'GET /assets/images/{file}',
    access: 'public',
    cache: 'for-good',
    summary: 'Get an image',
    description: 'The name contains a hash of the content, so it can be cached forever.',
    params: FileName,
    output: Bytes,
    produces: 'image',
    handle: ({ params }) =>
      serveBinary(`/assets/images/${params.file}`, { 'content-type': imageTypes[2] }),
  }),
  route({
    endpoint: 'GET /licenses',
    access: 'public',
    summary: 'Get the licenses of packages',
    description:
      'The packages whose code, font or icons are sent to browsers: of each its name, version and license.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'text',
    handle: ({ headers }) => negotiate(licences, headers, { caches: 'public' }),
  }),
];
