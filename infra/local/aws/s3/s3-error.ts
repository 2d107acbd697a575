/** An error response; the code is one of S3's own. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'S3Error';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const noSuchKey = (): S3Error =>
  new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');

/** Creates the error for an unmet condition of a request. */
export const preconditionFailed = (): S3Error =>
  new S3Error(
    412,
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
  );

export const accessDenied = (message = 'Access Denied'): S3Error =>
  new S3Error(403, 'AccessDenied', message);

export const invalidArgument = (message: string): S3Error =>
  new S3Error(400, 'InvalidArgument', message);

export const invalidKeyId = (): S3Error =>
  new S3Error(
    403,
    'InvalidAccessKeyId',
    'The AWS Access Key Id you provided does not exist in our records.',
  );

export const badSignature = (): S3Error =>
  new S3Error(
    403,
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  );

/**
 * Creates the error for a feature of S3 that this server doesn’t support. Such requests are rejected, never ignored.
 */
export const notImplemented = (what: string): S3Error =>
  new S3Error(501, 'NotImplemented', `The local S3 does not implement ${what}.`);
