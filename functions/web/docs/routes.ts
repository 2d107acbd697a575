import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { pagePolicy } from '../layout/policy.ts';
import { readTheme } from '../layout/theme.ts';
import { type AssetName, getAsset } from './assets.ts';
import { createLlmsText } from './guides/llms.ts';
import { createSkill } from './guides/skill.ts';
import { readReferencePage } from './pages.ts';
import { startName } from './reference/origin.ts';

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

const showPage = async (
  name: string,
  headers: Parameters<typeof negotiate>[1],
  cookies: readonly string[],
) => {
  const page = await readReferencePage(name, readTheme(cookies));
  if (page === undefined) throw new AppError('NOT_FOUND', 'Not found.');
  return negotiate(page, headers, {
    caches: 'private',
    headers: {
      'content-security-policy': pagePolicy(),
      'cross-origin-opener-policy': 'same-origin',
    },
  });
};

/** A text with the addresses of this service, for assistants. */
const showGuide = (text: string, type: 'plain' | 'markdown') =>
  new Reply(text, {
    headers: { 'cache-control': cacheControl, 'content-type': `text/${type}; charset=utf-8` },
  });

const page = {
  access: 'public',
  headers: z.object(representationHeaders),
  output: Representation,
  produces: 'html',
  failurePage: replyWithErrorPage,
} as const;

export const routes = [
  route({
    ...page,
    endpoint: 'GET /api/docs',
    summary: 'Show the API reference',
    description: 'How to call this API, and its groups of operations.',
    handle: ({ headers, cookies }) => showPage(startName, headers, cookies),
  }),
  route({
    ...page,
    endpoint: 'GET /api/docs/{group}',
    summary: 'Show the operations of a group',
    description:
      'Each operation has its `operationId` as its place on the page: `/api/docs/share#createShare`.',
    params: z.object({
      group: z
        .string()
        .max(100)
        .meta({ description: 'The name of the group, a tag of this document.' }),
    }),
    handle: ({ params, headers, cookies }) => showPage(params.group, headers, cookies),
  }),
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
    endpoint: 'GET /llms.txt',
    access: 'public',
    summary: 'Get the introduction for models',
    description: 'What the service is and how to publish with it, in the form of llmstxt.org.',
    output: z.string(),
    produces: 'text',
    handle: async () => showGuide(createLlmsText(getSetting('PUBLIC_URL')), 'plain'),
  }),
  route({
    endpoint: 'GET /skill.md',
    access: 'public',
    summary: 'Get the skill for assistants',
    description:
      'A `SKILL.md`: when and how to publish, and what to ask a person first. `handbill skill install` writes it where an assistant reads it.',
    output: z.string(),
    produces: 'source',
    handle: async () => showGuide(createSkill(getSetting('PUBLIC_URL')), 'markdown'),
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
