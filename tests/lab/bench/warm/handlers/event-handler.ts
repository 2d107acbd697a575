import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { Middleware } from '@aws-lambda-powertools/event-handler/types';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { CreateDocumentInput } from '../../../../../functions/api/documents/input.ts';
import { type Actor, authenticate, authorize } from '../endpoint/actor.ts';
import { createDocument } from '../endpoint/create.ts';
import { readDocument } from '../endpoint/documents.ts';
import { envelopeOf } from '../endpoint/errors.ts';
import { commonHeaders, jsonType, present, readId } from '../endpoint/response.ts';
import { logger, metrics } from '../endpoint/telemetry.ts';

interface Environment {
  store: { request: { actor: Actor } };
}

const app = new Router<Environment>({ logger });

const contextOf = (event: unknown) => (event as APIGatewayProxyEventV2).requestContext;

app.use(async ({ reqCtx, next }) => {
  logger.addContext(reqCtx.context);
  await next();
  const common = commonHeaders(contextOf(reqCtx.event).requestId);
  for (const [name, value] of Object.entries(common)) reqCtx.res.headers.set(name, value);
  metrics.publishStoredMetrics();
});

app.errorHandler(Error, async (error, reqCtx) => {
  const { status, body } = envelopeOf(error, contextOf(reqCtx.event).requestId);
  const headers = { 'content-type': jsonType };
  return { statusCode: status, headers, body: JSON.stringify(body) };
});

const permitted =
  (permission: string): Middleware<Environment> =>
  async ({ reqCtx, next }) => {
    const actor = await authenticate(reqCtx.req.headers.get('authorization') ?? undefined);
    authorize(actor, permission);
    reqCtx.set('actor', actor);
    await next();
  };

const actorOf = (reqCtx: { get(name: 'actor'): Actor | undefined }): Actor => {
  const actor = reqCtx.get('actor');
  if (!actor) throw new Error('Nobody has signed in');
  return actor;
};

app.get('/api/documents/:id', [permitted('documents:view')], async (reqCtx) => {
  const { body, etag } = present(await readDocument(actorOf(reqCtx), readId(reqCtx.params['id'])));
  if (reqCtx.req.headers.get('if-none-match') === etag) {
    return { statusCode: 304, headers: { etag }, body: '' };
  }
  return { statusCode: 200, headers: { 'content-type': jsonType, etag }, body };
});

app.post(
  '/api/documents',
  [permitted('documents:create')],
  async (reqCtx) => {
    const { http, requestId } = contextOf(reqCtx.event);
    const origin = { address: http.sourceIp, requestId };
    const shown = await createDocument(actorOf(reqCtx), reqCtx.valid.req.body, origin);
    const { body, etag } = present(shown);
    return { statusCode: 201, headers: { 'content-type': jsonType, etag }, body };
  },
  { validation: { req: { body: CreateDocumentInput } } },
);

/** Serves both endpoints with the event handler of Powertools. */
export const handler = (event: APIGatewayProxyEventV2, context: Context) =>
  app.resolve(event, context);
