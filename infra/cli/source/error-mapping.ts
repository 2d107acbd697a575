import { ApiError } from '../../../functions/web/browser/client/api-error.ts';

/** What a command exits with when it fails. */
export const exitCodes = { refused: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

/** A failure that the command words itself. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Creates the error of arguments that can't be used. */
export const usageError = (message: string): CliError => new CliError(message, exitCodes.usage);

/** What to tell of a failure. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

const toSentence = (error: ApiError): string => {
  const { message, details } = error;
  const more = details.slice(1).map(({ field, message: wrong }) => `${field} ${wrong}`);
  return more.length > 0 ? `${message.replace(/\.$/, '')}; ${more.join('; ')}.` : message;
};

/** A missing sign-in has the words of the command that signs in. */
const toMessage = (error: ApiError, url: string): string => {
  if (error.status === 401 && error.message.endsWith('Sign in again.')) {
    return `Not signed in at ${url}: run handbill login.`;
  }
  if (error.status === 401 && error.message.startsWith('This share is sealed')) {
    return 'The share is sealed. Give its whole link with the key behind the #, in quotes.';
  }
  if (error.status === 401 && error.message.startsWith('Sign in to ')) {
    return `${error.message.replace(/\.$/, '')}: run handbill login.`;
  }
  if (error.code === 'ENROLMENT_REQUIRED') {
    return `Your role requires a second factor: set one up at ${url}/enrol.`;
  }
  if (error.code === 'DELETION_PENDING') {
    return `Your account waits to be deleted: keep it at ${url}/leaving.`;
  }
  return toSentence(error);
};

const explainApiError = (error: ApiError, url: string): Failure => {
  if (error.code === 'UNREACHABLE') {
    return { message: `Can’t reach ${url}.`, exitCode: exitCodes.unreachable };
  }
  if (error.code === 'TIMEOUT') {
    return { message: `${url} took too long to respond.`, exitCode: exitCodes.unreachable };
  }
  return { message: toMessage(error, url), exitCode: exitCodes.refused };
};

/** Returns the sentence and the exit code of a failure. */
export const explain = (error: unknown, url: string): Failure => {
  if (error instanceof CliError) return error;
  if (error instanceof ApiError) return explainApiError(error, url);
  const { code, message, path } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: `There is no file ${path}.`,
    EACCES: `${path} can’t be read or written.`,
  };
  return { message: known[code ?? ''] ?? `Failed: ${message}`, exitCode: exitCodes.refused };
};
