import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Event } from '../../shared/http/http.ts';

/** Content types whose bodies API Gateway passes as text; others are base64. */
const textual = /^(text\/|application\/(json|javascript|xml|[\w.+-]+\+(json|xml)))/i;

const joinQuery = ({ search, searchParams }: URL): Record<string, string> | undefined => {
  if (search === '') return undefined;
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of searchParams) {
    query[name] = name in query ? `${query[name]},${value}` : value;
  }
  return searchParams.size > 0 ? { ...query } : undefined;
};

const readHeaders = ({ headers: { cookie: _, ...headers } }: IncomingMessage) => {
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') headers[name] = value?.join(',') ?? '';
  }
  return headers as Record<string, string>;
};

/** Formats a time as API Gateway does: 21/Nov/2026:12:00:00 +0000. */
const formatTime = (at: Date): string => {
  const [, day, month, year, time] = at.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};

/**
 * Returns the address of the client. Each trusted proxy appends to `X-Forwarded-For` whom it serves; what is before their
 * entries, anyone may have written.
 */
const getClientAddress = ({ headers, socket }: IncomingMessage, trustedProxies: number): string => {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const address = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined;
  return address && isIP(address) ? address : (socket.remoteAddress ?? '127.0.0.1');
};

/**
 * Creates the API Gateway event of a request, in payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const toEvent = (
  request: IncomingMessage,
  body: Buffer,
  match: {
    readonly routeKey: string;
    readonly params: Record<string, string> | undefined;
    readonly url: URL;
    readonly path: string;
    readonly requestId: string;
    readonly trustedProxies: number;
  },
): Event => {
  const { routeKey, params, url, path, requestId, trustedProxies } = match;
  const now = new Date();
  const method = request.method ?? 'GET';
  const contentType = request.headers['content-type'] ?? '';
  const isBase64Encoded = contentType !== '' && !textual.test(contentType);
  const cookies = request.headers.cookie?.split(/; */).filter(Boolean);
  const query = joinQuery(url);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: url.search.slice(1),
    ...(cookies && { cookies }),
    headers: readHeaders(request),
    ...(query && { queryStringParameters: query }),
    ...(params && Object.keys(params).length > 0 && { pathParameters: params }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: request.headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: getClientAddress(request, trustedProxies),
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: formatTime(now),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? 'base64' : 'utf8') }),
    isBase64Encoded,
  };
};
