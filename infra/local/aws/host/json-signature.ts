import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './read-body.ts';
import { type Credentials, createHeaderCheck, type Refusals } from './signature.ts';

/** A call rejected before any operation; `type` is AWS's name of the error. */
export class RefusedCall extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 403) {
    super(message);
    this.name = 'RefusedCall';
    this.type = type;
    this.status = status;
  }
}

const mismatch = () =>
  new RefusedCall(
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
  );

const refusals: Refusals = {
  malformed: () =>
    new RefusedCall(
      'IncompleteSignatureException',
      'The authorization header is not a signature of AWS4-HMAC-SHA256 for this service, with x-amz-date.',
    ),
  unknownKey: () =>
    new RefusedCall(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    ),
  skewed: () =>
    new RefusedCall(
      'InvalidSignatureException',
      'Signature expired: x-amz-date is more than 15 minutes away from the time of the server.',
    ),
  mismatch,
  uncovered: (names) =>
    new RefusedCall(
      'InvalidSignatureException',
      `These headers must be signed: ${names.join(', ')}.`,
    ),
};

/**
 * Reads the body of a signed call.
 * @throws RefusedCall for an unsigned call, before reading, and when the body is longer than `maxBytes`
 */
export const readCall = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  if (request.headers.authorization === undefined) {
    throw new RefusedCall(
      'MissingAuthenticationTokenException',
      'Request is missing Authentication Token',
    );
  }
  const body = await readBody(request, maxBytes);
  if (body) return body;
  throw new RefusedCall(
    'RequestEntityTooLargeException',
    `The request is larger than ${maxBytes} bytes`,
    413,
  );
};

/**
 * Creates a check of the signatures of calls to a service that takes JSON, such as `dynamodb`.
 * The check throws a RefusedCall.
 */
export const createCallCheck = (
  service: string,
  credentials: Credentials,
): ((request: IncomingMessage, body: Buffer) => Promise<void>) => {
  const check = createHeaderCheck(service, credentials, refusals);
  return async ({ method = '', url = '', headers }, body) => {
    const { 'x-amz-content-sha256': hash } = headers;
    // The signature may cover only this header, so the header must match the body.
    if (hash !== undefined && hash !== createHash('sha256').update(body).digest('hex')) {
      throw mismatch();
    }
    await check({ method, path: url, query: new URLSearchParams(), headers, body });
  };
};

/** Sends the error response of a rejected call, as AWS's JSON services do. */
export const sendRefusal = (
  response: ServerResponse,
  { status, type, message }: RefusedCall,
): void => {
  const text = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message });
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amzn-errortype': type,
    // Otherwise the unread rest of a body would be parsed as the next request.
    connection: 'close',
  });
  response.end(text);
};
