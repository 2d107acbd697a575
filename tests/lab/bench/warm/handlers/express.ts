import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import serverless from 'serverless-http';
import { CreateDocumentInput } from '../../../../../functions/api/documents/input.ts';
import { type Actor, authenticate, authorize } from '../endpoint/actor.ts';
import { createDocument } from '../endpoint/create.ts';
import { readDocument } from '../endpoint/documents.ts';
import { envelopeOf } from '../endpoint/errors.ts';
import { commonHeaders, jsonType, present, readId } from '../endpoint/response.ts';
import { logger, metrics } from '../endpoint/telemetry.ts';

/** The fields that serverless-http adds to the request. */
interface FromLambda {
  readonly apiGateway: { readonly event: APIGatewayProxyEventV2; readonly context: Context };
}

const contextOf = (request: Request) =>
  (request as Request & FromLambda).apiGateway.event.requestContext;

const app = express();
app.disable('x-powered-by');
app.disable('etag');

app.use((request, response, next) => {
  logger.addContext((request as Request & FromLambda).apiGateway.context);
  response.set(commonHeaders(contextOf(request).requestId));
  response.on('finish', () => metrics.publishStoredMetrics());
  next();
});

const permitted =
  (permission: string): RequestHandler =>
  async (request, response, next) => {
    const actor = await authenticate(request.get('authorization'));
    authorize(actor, permission);
    response.locals['actor'] = actor;
    next();
  };

const validated: RequestHandler = (request, response, next) => {
  response.locals['input'] = CreateDocumentInput.parse(request.body);
  next();
};

app.get('/api/documents/:id', permitted('documents:view'), async (request, response) => {
  const shown = await readDocument(
    response.locals['actor'] as Actor,
    readId(request.params['id'] as string),
  );
  const { body, etag } = present(shown);
  response.set('etag', etag);
  if (request.get('if-none-match') === etag) {
    response.status(304).end();
    return;
  }
  response.set('content-type', jsonType).send(body);
});

app.post(
  '/api/documents',
  permitted('documents:create'),
  express.json({ limit: '6mb' }),
  validated,
  async (request, response) => {
    const { http, requestId } = contextOf(request);
    const { actor, input } = response.locals;
    const origin = { address: http.sourceIp, requestId };
    const { body, etag } = present(await createDocument(actor, input, origin));
    response.status(201).set({ etag, 'content-type': jsonType }).send(body);
  },
);

// Express recognizes an error handler by its four parameters.
const onError: ErrorRequestHandler = (error, request, response, _next) => {
  const { status, body } = envelopeOf(error, contextOf(request).requestId);
  response.status(status).set('content-type', jsonType).send(JSON.stringify(body));
};
app.use(onError);

/** Serves both endpoints with Express behind serverless-http. */
export const handler = serverless(app, {
  request: (request: FromLambda, event: APIGatewayProxyEventV2, context: Context) => {
    Object.assign(request, { apiGateway: { event, context } });
  },
});
