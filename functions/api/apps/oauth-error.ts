import * as z from 'zod';
import { AppError, type ErrorCode } from '../../../shared/runtime/errors.ts';

/** The error codes of OAuth that the service answers with. */
export type OAuthCode =
  | 'access_denied'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** Creates an error as clients of OAuth read it. https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
export const oauthError = (error: OAuthCode, description: string): AppError =>
  new AppError('VALIDATION_ERROR', description, {
    bareBody: { error, error_description: description },
  });

const OAuthError = z.object({ error: z.string(), error_description: z.string() }).meta({
  id: 'OAuthError',
  examples: [
    { error: 'invalid_grant', error_description: 'The code is invalid, used or expired.' },
  ],
});

const codes: Partial<Record<ErrorCode, OAuthCode>> = {
  VALIDATION_ERROR: 'invalid_request',
  RATE_LIMITED: 'temporarily_unavailable',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
};

/** The body of any other error of a route that clients of OAuth call. */
export const oauthErrorBody = {
  name: 'OAuth',
  schema: OAuthError,
  create: ({ code, message }: Pick<AppError, 'code' | 'message'>) => ({
    error: codes[code] ?? 'server_error',
    error_description: message,
  }),
} as const;
