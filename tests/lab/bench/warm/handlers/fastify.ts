import awsLambdaFastify from '@fastify/aws-lambda';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import Fastify, { type FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { CreateDocumentInput } from '../../../../../functions/api/documents/input.ts';
import { type Actor, authenticate, authorize } from '../endpoint/actor.ts';
import { createDocument } from '../endpoint/create.ts';
import { readDocument } from '../endpoint/documents.ts';
import { envelopeOf } from '../endpoint/errors.ts';
import { commonHeaders, jsonType, present, readId } from '../endpoint/response.ts';
import { logger, metrics } from '../endpoint/telemetry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
    awsLambda: { readonly event: APIGatewayProxyEventV2; readonly context: Context };
  }
}

const app = Fastify({ logger: false });

app.setValidatorCompiler<z.ZodType>(({ schema }) => (value) => {
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : { error: result.error };
});

app.decorateRequest('actor');

const contextOf = (request: FastifyRequest) => request.awsLambda.event.requestContext;

app.addHook('onRequest', async (request, reply) => {
  logger.addContext(request.awsLambda.context);
  reply.headers(commonHeaders(contextOf(request).requestId));
});

app.addHook('onResponse', async () => {
  metrics.publishStoredMetrics();
});

app.setErrorHandler((error, request, reply) => {
  const { status, body } = envelopeOf(error, contextOf(request).requestId);
  return reply.code(status).header('content-type', jsonType).send(JSON.stringify(body));
});

const permitted = (permission: string) => async (request: FastifyRequest) => {
  request.actor = await authenticate(request.headers.authorization);
  authorize(request.actor, permission);
};

app.get<{ Params: { id: string } }>(
  '/api/documents/:id',
  { onRequest: permitted('documents:view') },
  async (request, reply) => {
    const { body, etag } = present(await readDocument(request.actor, readId(request.params.id)));
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.header('content-type', jsonType).send(body);
  },
);

app.post<{ Body: z.output<typeof CreateDocumentInput> }>(
  '/api/documents',
  { onRequest: permitted('documents:create'), schema: { body: CreateDocumentInput } },
  async (request, reply) => {
    const { http, requestId } = contextOf(request);
    const origin = { address: http.sourceIp, requestId };
    const { body, etag } = present(await createDocument(request.actor, request.body, origin));
    return reply.code(201).header('etag', etag).header('content-type', jsonType).send(body);
  },
);

/** Serves both endpoints with Fastify. */
export const handler = awsLambdaFastify(app);
