import {
  ALGORITHM,
  assertCoverage,
  type Claim,
  type Credentials,
  canonical,
  createHeaderCheck,
  createSigner,
  isEqual,
  MAX_SKEW_MS,
  parseAmzDate,
  parseScope,
  type Refusals,
  type SignedRequest,
} from '../host/signature.ts';
import { accessDenied, badSignature, invalidKeyId, S3Error } from './s3-error.ts';

const MAX_EXPIRES_SECONDS = 7 * 24 * 3_600;

const refusals: Refusals = {
  malformed: () =>
    new S3Error(
      400,
      'AuthorizationHeaderMalformed',
      'The authorization header that you provided is not valid.',
    ),
  unknownKey: invalidKeyId,
  skewed: () =>
    new S3Error(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    ),
  mismatch: badSignature,
  uncovered: (names) =>
    accessDenied(
      `There were headers present in the request which were not signed: ${names.join(', ')}`,
    ),
};

const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Encodes a path anew. Clients encode paths differently, and S3 compares the decoded text. */
const encodePath = (path: string): string =>
  path
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/');

const queryClaim = ({ query }: SignedRequest): Claim & { expiresIn: number } => {
  const scope = parseScope(query.get('X-Amz-Credential'), 's3');
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

/** The parameters that a signature adds to a presigned URL. */
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
  const presigned = await createSigner('s3', credentials).presign(
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
  assertCoverage(request, claim, refusals);
  return String(payload);
};

const readPayload = ({ headers }: SignedRequest): string => {
  const payload = headers['x-amz-content-sha256'];
  if (typeof payload === 'string') return payload;
  throw new S3Error(
    400,
    'InvalidRequest',
    'Missing required header for this request: x-amz-content-sha256',
  );
};

/**
 * Creates a check of a request's signature, which is in the headers or (presigned) in the query, for any region.
 * The check returns the payload's SHA-256 in hex, or a keyword such as `UNSIGNED-PAYLOAD`. It throws
 * S3Error SignatureDoesNotMatch, RequestTimeTooSkewed, or AccessDenied for an expired or unsigned request.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
export const createRequestCheck = (
  credentials: Credentials,
): ((request: SignedRequest) => Promise<string>) => {
  const checkHeader = createHeaderCheck('s3', credentials, refusals);
  return async (sent) => {
    const request = { ...sent, path: encodePath(sent.path) };
    if (request.query.has('X-Amz-Signature')) return verifyQuery(request, credentials);
    if (request.headers.authorization === undefined) throw accessDenied();
    await checkHeader(request);
    return readPayload(request);
  };
};

/**
 * Verifies the signature of the policy of a browser's upload.
 * @throws S3Error SignatureDoesNotMatch, InvalidAccessKeyId, or AccessDenied for a missing field
 */
export const verifyPolicy = async (
  fields: ReadonlyMap<string, string>,
  credentials: Credentials,
): Promise<void> => {
  const policy = fields.get('policy');
  const scope = parseScope(fields.get('x-amz-credential'), 's3');
  const date = parseAmzDate(fields.get('x-amz-date'));
  if (!policy || !scope || !date || fields.get('x-amz-algorithm') !== ALGORITHM) {
    throw accessDenied();
  }
  if (scope.accessKeyId !== (await credentials()).accessKeyId) throw invalidKeyId();
  const expected = await createSigner('s3', credentials).sign(policy, {
    signingDate: date,
    signingRegion: scope.region,
  });
  if (!isEqual(expected, fields.get('x-amz-signature') ?? '')) throw badSignature();
};
