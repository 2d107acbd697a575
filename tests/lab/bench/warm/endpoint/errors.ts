import * as z from 'zod';

/** An error that is reported to the caller. */
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

/** Creates the 400 for an input that a schema rejects. */
export const invalid = (error: z.core.$ZodError): HttpError => {
  const details = error.issues.map(({ path, message }) => ({
    field: path.join('.') || 'body',
    message,
  }));
  return new HttpError(400, 'VALIDATION_ERROR', 'The input is not valid', details);
};

/** Returns the status and the envelope of any error. */
export const envelopeOf = (error: unknown, requestId: string) => {
  const known = error instanceof z.core.$ZodError ? invalid(error) : error;
  const { status, code, message, details } =
    known instanceof HttpError
      ? known
      : new HttpError(500, 'INTERNAL_ERROR', 'Internal server error.');
  return { status, body: { success: false, error: { code, message, details, requestId } } };
};
