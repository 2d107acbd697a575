import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { Hono } from 'hono';
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { createMiddleware } from 'hono/factory';
import { validator } from 'hono/validator';
import { CreateDocumentInput } from '../../../../../functions/api/documents/input.ts';
import { type Actor, authenticate, authorize } from '../endpoint/actor.ts';
import { createDocument } from '../endpoint/create.ts';
import { readDocument } from '../endpoint/documents.ts';
import { envelopeOf } from '../endpoint/errors.ts';
import { commonHeaders, jsonType, present, readId } from '../endpoint/response.ts';
import { logger, metrics } from '../endpoint/telemetry.ts';

interface Environment {
  Bindings: { event: LambdaEvent; lambdaContext: LambdaContext };
  Variables: { actor: Actor };
}

const contextOf = (event: unknown) => (event as APIGatewayProxyEventV2).requestContext;

const app = new Hono<Environment>();

app.use(async (c, next) => {
  logger.addContext(c.env.lambdaContext as unknown as Context);
  await next();
  for (const [name, value] of Object.entries(commonHeaders(contextOf(c.env.event).requestId))) {
    c.header(name, value);
  }
  metrics.publishStoredMetrics();
});

app.onError((error, c) => {
  const { status, body } = envelopeOf(error, contextOf(c.env.event).requestId);
  return c.body(JSON.stringify(body), status as 500, { 'content-type': jsonType });
});

const permitted = (permission: string) =>
  createMiddleware<Environment>(async (c, next) => {
    const actor = await authenticate(c.req.header('authorization'));
    authorize(actor, permission);
    c.set('actor', actor);
    await next();
  });

app.get('/api/documents/:id', permitted('documents:view'), async (c) => {
  const { body, etag } = present(await readDocument(c.get('actor'), readId(c.req.param('id'))));
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, { etag });
  return c.body(body, 200, { 'content-type': jsonType, etag });
});

app.post(
  '/api/documents',
  permitted('documents:create'),
  validator('json', (value) => CreateDocumentInput.parse(value)),
  async (c) => {
    const { http, requestId } = contextOf(c.env.event);
    const origin = { address: http.sourceIp, requestId };
    const shown = await createDocument(c.get('actor'), c.req.valid('json'), origin);
    const { body, etag } = present(shown);
    return c.body(body, 201, { 'content-type': jsonType, etag });
  },
);

/** Serves both endpoints with Hono. */
export const handler = handle(app);
