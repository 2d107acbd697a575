import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { signAccessToken } from './access-token.ts';
import { documentId } from './stored.ts';

/** The measured requests, by name. */
export const requests = {
  get: 'GET /api/documents/{id}',
  post: 'POST /api/documents',
} as const;

export type RequestName = keyof typeof requests;

export const requestNames = Object.keys(requests) as readonly RequestName[];

/** The expected statuses. */
export const statuses: Readonly<Record<RequestName, number>> = { get: 200, post: 201 };

const paths: Readonly<Record<RequestName, string>> = {
  get: `/api/documents/${documentId}`,
  post: '/api/documents',
};

const body = {
  title: 'Minutes of the board meeting in May',
  type: 'minutes',
  folder: 'Minutes',
  tags: ['board', '2026', 'draft'],
  visibility: 'private',
};

/** Creates the gateway's event for a request, with the headers of a browser. */
export const eventOf = (name: RequestName, secret: string): APIGatewayProxyEventV2 => {
  const [method = '', routeKey] = [requests[name].split(' ')[0], requests[name]];
  const rawPath = paths[name];
  const host = 'abcdefghij.execute-api.eu-central-1.amazonaws.com';
  const text = JSON.stringify(body);
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: '',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en-GB,en;q=0.9,de;q=0.8',
      authorization: `Bearer ${signAccessToken(secret)}`,
      host,
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      'x-amzn-trace-id': 'Root=1-69210000-0123456789abcdef01234567',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      ...(name === 'post' && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
    },
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdefghij',
      domainName: host,
      domainPrefix: 'abcdefghij',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.1',
        userAgent: 'Mozilla/5.0',
      },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey,
      stage: '$default',
      time: '21/Nov/2026:12:00:00 +0000',
      timeEpoch: 1_795_262_400_000,
    },
    ...(name === 'get' && { pathParameters: { id: String(documentId) } }),
    ...(name === 'post' && { body: text }),
    isBase64Encoded: false,
  };
};
