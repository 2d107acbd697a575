import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';

/** Returns the one key that signs requests; called for each request. */
export type Credentials = () => Promise<{ accessKeyId: string; secretAccessKey: string }>;

/** Returns the key that this process's own clients sign with. */
export const ownCredentials = (): Credentials => new DynamoDBClient({}).config.credentials;

/** A received request. */
export interface SignedRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Hashed if the signature doesn’t cover `x-amz-content-sha256`. */
  readonly body?: Buffer;
}

/** The claims of a request about its signature. */
export interface Claim {
  readonly accessKeyId: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: Date;
}

/** The errors of a service for invalid signatures. */
export interface Refusals {
  malformed(): Error;
  unknownKey(): Error;
  skewed(): Error;
  mismatch(): Error;
  /** Creates the error for headers that the signature doesn’t cover. */
  uncovered(names: readonly string[]): Error;
}

export const ALGORITHM = 'AWS4-HMAC-SHA256';
export const MAX_SKEW_MS = 15 * 60_000;

const bytesOf = (source: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);

/** SHA-256 and HMAC for the signer. */
class Sha256 {
  readonly #digest;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    if (secret === undefined) this.#digest = createHash('sha256');
    else {
      const key = typeof secret === 'string' ? secret : Buffer.from(bytesOf(secret));
      this.#digest = createHmac('sha256', key);
    }
  }

  update(bytes: Uint8Array): void {
    this.#digest.update(bytes);
  }

  async digest(): Promise<Uint8Array> {
    return this.#digest.digest();
  }
}

export const isEqual = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Parses a time such as `20261121T193757Z`; returns undefined if invalid. */
export const parseAmzDate = (text: string | null | undefined): Date | undefined => {
  if (!text || !/^\d{8}T\d{6}Z$/.test(text)) return undefined;
  const date = new Date(
    text.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'),
  );
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/**
 * Parses the access key and the region of `<key>/<date>/<region>/<service>/aws4_request`; returns undefined if invalid.
 */
export const parseScope = (credential: string | null | undefined, service: string) => {
  const [, accessKeyId, region, scoped] =
    /^([^/]+)\/\d{8}\/([\w-]+)\/([\w-]+)\/aws4_request$/.exec(credential ?? '') ?? [];
  return accessKeyId && region && scoped === service ? { accessKeyId, region } : undefined;
};

/** Creates a signer that signs as clients of the service do. It caches derived keys by date, region and service. */
export const createSigner = (service: string, credentials: Credentials): SignatureV4 =>
  new SignatureV4({
    service,
    // Each signature names its own region.
    region: 'us-east-1',
    credentials: async () => {
      // The session token is already a header, so the signer must not add it again.
      const { accessKeyId, secretAccessKey } = await credentials();
      return { accessKeyId, secretAccessKey };
    },
    sha256: Sha256,
    uriEscapePath: service !== 's3',
    applyChecksum: false,
  });

/** Returns the request as signed, with only the headers that the signature covers. */
export const canonical = (
  { method, path, query, headers, body }: SignedRequest,
  signed: readonly string[],
) => {
  const names = [...new Set(query.keys())];
  return {
    protocol: 'http:',
    hostname: '',
    method,
    path,
    query: Object.fromEntries(
      names.map((name) => {
        const values = query.getAll(name);
        return [name, values.length === 1 ? (values[0] ?? '') : values];
      }),
    ),
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name] ?? '')])),
    ...(body && { body }),
  };
};

/** Rejects uncovered headers, which someone may have added in transit. */
export const assertCoverage = (
  { headers }: SignedRequest,
  { signedHeaders }: Claim,
  { uncovered }: Refusals,
): void => {
  const required = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  const missing = ['host', ...required].filter((name) => !signedHeaders.includes(name));
  if (missing.length > 0) throw uncovered(missing);
};

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 +Credential=(?<credential>[^,\s]+), *SignedHeaders=(?<names>[^,\s]+), *Signature=(?<signature>[\da-f]{64})$/;

const readClaim = ({ headers }: SignedRequest, service: string, refusals: Refusals): Claim => {
  const { credential, names, signature } =
    AUTHORIZATION.exec(headers.authorization ?? '')?.groups ?? {};
  const scope = parseScope(credential, service);
  const date = parseAmzDate(String(headers['x-amz-date'] ?? ''));
  if (!scope || !names || !signature || !date) throw refusals.malformed();
  if (Math.abs(Date.now() - date.getTime()) > MAX_SKEW_MS) throw refusals.skewed();
  return { ...scope, date, signature, signedHeaders: names.split(';') };
};

/**
 * Creates a check of the signature in a request's `authorization` header, for any region.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export const createHeaderCheck = (
  service: string,
  credentials: Credentials,
  refusals: Refusals,
): ((request: SignedRequest) => Promise<void>) => {
  const signer = createSigner(service, credentials);
  return async (request) => {
    const claim = readClaim(request, service, refusals);
    if (claim.accessKeyId !== (await credentials()).accessKeyId) throw refusals.unknownKey();
    const { headers } = await signer.sign(canonical(request, claim.signedHeaders), {
      signingDate: claim.date,
      signingRegion: claim.region,
      signableHeaders: new Set(claim.signedHeaders),
    });
    const expected = headers['authorization']?.split('Signature=')[1] ?? '';
    if (!isEqual(expected, claim.signature)) throw refusals.mismatch();
    assertCoverage(request, claim, refusals);
  };
};
