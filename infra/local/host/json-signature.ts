import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './read-body.ts';
import { type Credentials, createHeaderCheck, type Refusals } from './signature.ts';

/** A call that is refused before any operation; `type` is AWS's name of the error. */
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
 * Reads the body of a call, which is not looked at when it bears no signature at all.
 * @throws RefusedCall when it is longer than `maxBytes`
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
 * Returns a check of the signature of calls to a service that takes JSON, by the name in its scope, such as `dynamodb`.
 * The check throws a RefusedCall.
 */
export const createCallCheck = (
  service: string,
  credentials: Credentials,
): ((request: IncomingMessage, body: Buffer) => Promise<void>) => {
  const check = createHeaderCheck(service, credentials, refusals);
  return async ({ method = '', url = '', headers }, body) => {
    const { 'x-amz-content-sha256': hash } = headers;
    // The signature may be of this header: then the header has to be of the body.
    if (hash !== undefined && hash !== createHash('sha256').update(body).digest('hex')) {
      throw mismatch();
    }
    await check({ method, path: url, query: new URLSearchParams(), headers, body });
  };
};

/** Answers a refused call as AWS's services that take JSON do. */
export const sendRefusal = (
  response: ServerResponse,
  { status, type, message }: RefusedCall,
): void => {
  const text = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message });
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(text),
    'x-amzn-errortype': type,
    // The rest of a body that was not read would be taken for the next request.
    connection: 'close',
  });
  response.end(text);
};
