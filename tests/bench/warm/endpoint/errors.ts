import * as z from 'zod';

/** A failure that the caller is told of. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];

  constructor(status: number, code: string, message: string, details: HttpError['details'] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const notFound = () => new HttpError(404, 'NOT_FOUND', 'Document not found.');

/** The 400 about an input that a schema refuses. */
export const invalid = (error: z.ZodError): HttpError => {
  const details = error.issues.map(({ path, message }) => ({
    field: path.join('.') || 'body',
    message,
  }));
  return new HttpError(400, 'VALIDATION_ERROR', 'The input is not valid', details);
};

/** The status and the envelope of any throw. */
export const envelopeOf = (error: unknown, requestId: string) => {
  const known = error instanceof z.ZodError ? invalid(error) : error;
  const { status, code, message, details } =
    known instanceof HttpError
      ? known
      : new HttpError(500, 'INTERNAL_ERROR', 'Internal server error.');
  return { status, body: { success: false, error: { code, message, details, requestId } } };
};
