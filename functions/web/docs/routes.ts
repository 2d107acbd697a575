import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { type AssetName, getAsset } from './assets.ts';

const AcceptEncoding = z.object({ 'accept-encoding': z.string().optional() });
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const DocumentBytes = Bytes.meta({
  override: { type: 'object', description: 'An OpenAPI 3.1 document.' },
});

const cacheControl = 'public, max-age=300';

const serve = async (name: AssetName, acceptEncoding = '') => {
  const { plain, gzipped } = await getAsset(name);
  const isGzip = /\bgzip\b/.test(acceptEncoding);
  return new Reply<Uint8Array>(isGzip ? gzipped : plain, {
    headers: {
      'cache-control': cacheControl,
      vary: 'accept-encoding',
      ...(isGzip && { 'content-encoding': 'gzip' }),
    },
  });
};

export const routes = [
  route({
    endpoint: 'GET /api/openapi.json',
    access: 'public',
    summary: 'Get this OpenAPI document',
    description: 'Compressed with gzip if the request accepts it.',
    headers: AcceptEncoding,
    output: DocumentBytes,
    handle: ({ headers }) => serve('openapi.json', headers['accept-encoding']),
  }),
  route({
    endpoint: 'GET /api/docs/swagger-ui.css',
    access: 'public',
    summary: 'Get the API reference style',
    headers: AcceptEncoding,
    output: Bytes,
    produces: 'css',
    handle: ({ headers }) => serve('swagger-ui.css', headers['accept-encoding']),
  }),
  route({
    endpoint: 'GET /api/docs/swagger-ui-bundle.js',
    access: 'public',
    summary: 'Get the API reference script',
    headers: AcceptEncoding,
    output: Bytes,
    produces: 'javascript',
    handle: ({ headers }) => serve('swagger-ui-bundle.js', headers['accept-encoding']),
  }),
];
