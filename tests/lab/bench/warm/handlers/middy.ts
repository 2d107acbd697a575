import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy, { type MiddlewareObj } from '@middy/core';
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import type * as z from 'zod';
import { CreateDocumentInput } from '../../../../../functions/api/documents/input.ts';
import { type Actor, authenticate, authorize } from '../endpoint/actor.ts';
import { createDocument } from '../endpoint/create.ts';
import { readDocument } from '../endpoint/documents.ts';
import { envelopeOf, HttpError } from '../endpoint/errors.ts';
import { commonHeaders, jsonType, present, readId } from '../endpoint/response.ts';
import { logger, metrics } from '../endpoint/telemetry.ts';

interface RequestContext extends Context {
  actor: Actor;
  input: z.output<typeof CreateDocumentInput>;
}

type Event = APIGatewayProxyEventV2;
type Result = APIGatewayProxyStructuredResultV2;
type Middleware = MiddlewareObj<Event, Result, Error, RequestContext>;

const securityHeaders = (): Middleware => {
  const add: Middleware['after'] = ({ event, response }) => {
    if (!response) return;
    response.headers = { ...commonHeaders(event.requestContext.requestId), ...response.headers };
  };
  return { after: add, onError: add };
};

const errorHandler = (): Middleware => ({
  onError: (request) => {
    const { status, body } = envelopeOf(request.error, request.event.requestContext.requestId);
    const headers = { 'content-type': jsonType };
    request.response = { statusCode: status, headers, body: JSON.stringify(body) };
  },
});

const signedIn = (): Middleware => ({
  before: async ({ event, context }) => {
    context.actor = await authenticate(event.headers['authorization']);
  },
});

const permitted = (permission: string): Middleware => ({
  before: ({ context }) => authorize(context.actor, permission),
});

const jsonBody = (): Middleware => ({
  before: ({ event, context }) => {
    const { body = '', isBase64Encoded } = event;
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
    try {
      context.input = CreateDocumentInput.parse(JSON.parse(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new HttpError(400, 'VALIDATION_ERROR', 'The body is not valid JSON');
    }
  },
});

const endpoint = () =>
  middy<Event, Result, Error, RequestContext>()
    .use(injectLambdaContext(logger))
    .use(logMetrics(metrics))
    .use(securityHeaders())
    .use(errorHandler())
    .use(signedIn());

const get = endpoint()
  .use(permitted('documents:view'))
  .handler(async (event: Event, { actor }: RequestContext) => {
    const shown = await readDocument(actor, readId(event.pathParameters?.['id']));
    const { body, etag } = present(shown);
    if (event.headers['if-none-match'] === etag) return { statusCode: 304, headers: { etag } };
    return { statusCode: 200, headers: { 'content-type': jsonType, etag }, body };
  });

const post = endpoint()
  .use(permitted('documents:create'))
  .use(jsonBody())
  .handler(async (event: Event, { actor, input }: RequestContext) => {
    const { http, requestId } = event.requestContext;
    const origin = { address: http.sourceIp, requestId };
    const { body, etag } = present(await createDocument(actor, input, origin));
    return { statusCode: 201, headers: { 'content-type': jsonType, etag }, body };
  });

/** Serves both endpoints with middy, each with a separate chain. */
export const handler = (event: Event, context: RequestContext) =>
  (event.routeKey === 'GET /api/documents/{id}' ? get : post)(event, context);
