import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import { accessDenied, badSignature, invalidKeyId, S3Error } from './s3-error.ts';

/** The one key that requests are signed with; asked for afresh each time. */
export type Credentials = () => Promise<{ accessKeyId: string; secretAccessKey: string }>;

/** A request as it came, without its body. */
export interface SignedRequest {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_SKEW_MS = 15 * 60_000;
const MAX_EXPIRES_SECONDS = 7 * 24 * 3_600;

const bytesOf = (source: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);

/** What the signer computes SHA-256 and its HMAC with. */
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

/** What a request says about its signature. */
interface Claim {
  readonly accessKeyId: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: Date;
}

const isEqual = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** A time such as `20261121T193757Z`, or undefined. */
export const parseAmzDate = (text: string | null | undefined): Date | undefined => {
  if (!text || !/^\d{8}T\d{6}Z$/.test(text)) return undefined;
  const date = new Date(
    text.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'),
  );
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** The access key and the region of `<key>/<date>/<region>/s3/aws4_request`, or undefined. */
export const parseScope = (credential: string | null | undefined) => {
  const [, accessKeyId, region] =
    /^([^/]+)\/\d{8}\/([\w-]+)\/s3\/aws4_request$/.exec(credential ?? '') ?? [];
  return accessKeyId && region ? { accessKeyId, region } : undefined;
};

const signerOf = (credentials: Credentials): SignatureV4 =>
  new SignatureV4({
    service: 's3',
    // Each signature names its own: any will do here.
    region: 'us-east-1',
    credentials: async () => {
      // A session's token is one of the headers; the signer must not add it once more.
      const { accessKeyId, secretAccessKey } = await credentials();
      return { accessKeyId, secretAccessKey };
    },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });

const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The request as its sender signed it: of the headers only those that the signature covers. */
const canonical = ({ method, path, query, headers }: SignedRequest, signed: readonly string[]) => {
  const names = [...new Set(query.keys())];
  return {
    protocol: 'http:',
    hostname: '',
    method,
    // Clients differ in what they leave as it is; S3 compares what it means.
    path: path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query: Object.fromEntries(
      names.map((name) => {
        const values = query.getAll(name);
        return [name, values.length === 1 ? (values[0] ?? '') : values];
      }),
    ),
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name] ?? '')])),
  };
};

/** Refuses headers that someone may have added on the way. */
const checkCoverage = ({ headers }: SignedRequest, { signedHeaders }: Claim): void => {
  const required = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  const missing = ['host', ...required].filter((name) => !signedHeaders.includes(name));
  if (missing.length === 0) return;
  throw accessDenied(
    `There were headers present in the request which were not signed: ${missing.join(', ')}`,
  );
};

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 +Credential=(?<credential>[^,\s]+), *SignedHeaders=(?<names>[^,\s]+), *Signature=(?<signature>[\da-f]{64})$/;

const headerClaim = ({ headers }: SignedRequest): Claim => {
  const { credential, names, signature } =
    AUTHORIZATION.exec(headers.authorization ?? '')?.groups ?? {};
  const scope = parseScope(credential);
  const date = parseAmzDate(String(headers['x-amz-date'] ?? ''));
  if (!scope || !names || !signature || !date) {
    throw new S3Error(
      400,
      'AuthorizationHeaderMalformed',
      'The authorization header that you provided is not valid.',
    );
  }
  if (Math.abs(Date.now() - date.getTime()) > MAX_SKEW_MS) {
    throw new S3Error(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    );
  }
  return { ...scope, date, signature, signedHeaders: names.split(';') };
};

const verifyHeader = async (request: SignedRequest, credentials: Credentials): Promise<string> => {
  const claim = headerClaim(request);
  if (claim.accessKeyId !== (await credentials()).accessKeyId) throw invalidKeyId();
  const payload = request.headers['x-amz-content-sha256'];
  if (typeof payload !== 'string') {
    throw new S3Error(
      400,
      'InvalidRequest',
      'Missing required header for this request: x-amz-content-sha256',
    );
  }
  const { headers } = await signerOf(credentials).sign(canonical(request, claim.signedHeaders), {
    signingDate: claim.date,
    signingRegion: claim.region,
    signableHeaders: new Set(claim.signedHeaders),
  });
  const expected = headers['authorization']?.split('Signature=')[1] ?? '';
  if (!isEqual(expected, claim.signature)) throw badSignature();
  checkCoverage(request, claim);
  return payload;
};

const queryClaim = ({ query }: SignedRequest): Claim & { expiresIn: number } => {
  const scope = parseScope(query.get('X-Amz-Credential'));
  const date = parseAmzDate(query.get('X-Amz-Date'));
  const expiresIn = Number(query.get('X-Amz-Expires'));
  const names = query.get('X-Amz-SignedHeaders');
  const isSpan = expiresIn > 0 && expiresIn <= MAX_EXPIRES_SECONDS;
  if (!scope || !date || !names || !isSpan || query.get('X-Amz-Algorithm') !== ALGORITHM) {
    throw new S3Error(
      400,
      'AuthorizationQueryParametersError',
      'Error parsing the X-Amz-* parameters of the query: one is missing or not valid.',
    );
  }
  const age = Date.now() - date.getTime();
  if (age > expiresIn * 1000) throw accessDenied('Request has expired');
  if (age < -MAX_SKEW_MS) throw accessDenied('Request is not valid yet');
  return {
    ...scope,
    date,
    expiresIn,
    signature: query.get('X-Amz-Signature') ?? '',
    signedHeaders: names.split(';'),
  };
};

/** The parameters that a presigned URL gets from its signature. */
const OF_SIGNATURE = ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'];

const verifyQuery = async (request: SignedRequest, credentials: Credentials): Promise<string> => {
  const claim = queryClaim(request);
  if (claim.accessKeyId !== (await credentials()).accessKeyId) throw invalidKeyId();
  const query = new URLSearchParams(request.query);
  for (const name of OF_SIGNATURE) query.delete(`X-Amz-${name}`);
  const payload =
    query.get('X-Amz-Content-Sha256') ??
    request.headers['x-amz-content-sha256'] ??
    'UNSIGNED-PAYLOAD';
  const signed = new Set(claim.signedHeaders);
  const { headers, ...rest } = canonical({ ...request, query }, claim.signedHeaders);
  const presigned = await signerOf(credentials).presign(
    { ...rest, headers: { ...headers, 'x-amz-content-sha256': String(payload) } },
    {
      signingDate: claim.date,
      signingRegion: claim.region,
      expiresIn: claim.expiresIn,
      signableHeaders: signed,
      unhoistableHeaders: new Set([...signed, 'x-amz-content-sha256']),
      unsignableHeaders: new Set(
        signed.has('x-amz-content-sha256') ? [] : ['x-amz-content-sha256'],
      ),
    },
  );
  const expected = String(presigned.query?.['X-Amz-Signature']);
  if (!isEqual(expected, claim.signature)) throw badSignature();
  checkCoverage(request, claim);
  return String(payload);
};

/**
 * Checks the signature of a request, in its headers or (presigned) in its query; any region will do.
 * Answers what it says of its payload: a SHA-256 in hex, or a word such as `UNSIGNED-PAYLOAD`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 * @throws S3Error SignatureDoesNotMatch, RequestTimeTooSkewed, AccessDenied when expired or unsigned
 */
export const verifyRequest = async (
  request: SignedRequest,
  credentials: Credentials,
): Promise<string> => {
  if (request.query.has('X-Amz-Signature')) return verifyQuery(request, credentials);
  if (request.headers.authorization === undefined) throw accessDenied();
  return verifyHeader(request, credentials);
};

/**
 * Checks the signature of the policy of a browser's upload.
 * @throws S3Error SignatureDoesNotMatch, InvalidAccessKeyId, AccessDenied when something is missing
 */
export const verifyPolicy = async (
  fields: ReadonlyMap<string, string>,
  credentials: Credentials,
): Promise<void> => {
  const policy = fields.get('policy');
  const scope = parseScope(fields.get('x-amz-credential'));
  const date = parseAmzDate(fields.get('x-amz-date'));
  if (!policy || !scope || !date || fields.get('x-amz-algorithm') !== ALGORITHM) {
    throw accessDenied();
  }
  if (scope.accessKeyId !== (await credentials()).accessKeyId) throw invalidKeyId();
  const expected = await signerOf(credentials).sign(policy, {
    signingDate: date,
    signingRegion: scope.region,
  });
  if (!isEqual(expected, fields.get('x-amz-signature') ?? '')) throw badSignature();
};
