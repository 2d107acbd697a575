import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import { CreateDocumentInput } from '../../../../../functions/api/documents/input.ts';
import { type Actor, authenticate, authorize } from '../endpoint/actor.ts';
import { createDocument } from '../endpoint/create.ts';
import { readDocument, type Shown } from '../endpoint/documents.ts';
import { envelopeOf, HttpError } from '../endpoint/errors.ts';
import { commonHeaders, jsonType, present, readId } from '../endpoint/response.ts';
import { logger, metrics } from '../endpoint/telemetry.ts';

const parseBody = (event: APIGatewayProxyEventV2) => {
  const { body = '', isBase64Encoded } = event;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  try {
    return CreateDocumentInput.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new HttpError(400, 'VALIDATION_ERROR', 'The body is not valid JSON');
  }
};

const get = (event: APIGatewayProxyEventV2, actor: Actor): Promise<Shown> => {
  authorize(actor, 'documents:view');
  return readDocument(actor, readId(event.pathParameters?.['id']));
};

const post = (event: APIGatewayProxyEventV2, actor: Actor): Promise<Shown> => {
  authorize(actor, 'documents:create');
  const { http, requestId } = event.requestContext;
  return createDocument(actor, parseBody(event), { address: http.sourceIp, requestId });
};

const reply = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
  const { requestId } = event.requestContext;
  const actor = await authenticate(event.headers['authorization']);
  const isGet = event.routeKey === 'GET /api/documents/{id}';
  const { body, etag } = present(await (isGet ? get : post)(event, actor));
  if (isGet && event.headers['if-none-match'] === etag) {
    return { statusCode: 304, headers: { ...commonHeaders(requestId), etag } };
  }
  const headers = { ...commonHeaders(requestId), 'content-type': jsonType, etag };
  return { statusCode: isGet ? 200 : 201, headers, body };
};

/** Serves both endpoints without a framework. */
export const handler = async (
  event: APIGatewayProxyEventV2,
  context: Context,
): Promise<APIGatewayProxyStructuredResultV2> => {
  const { requestId } = event.requestContext;
  logger.addContext(context);
  try {
    return await reply(event);
  } catch (error) {
    const { status, body } = envelopeOf(error, requestId);
    if (status >= 500) logger.error('Request failed', { requestId });
    const headers = { ...commonHeaders(requestId), 'content-type': jsonType };
    return { statusCode: status, headers, body: JSON.stringify(body) };
  } finally {
    metrics.publishStoredMetrics();
  }
};
