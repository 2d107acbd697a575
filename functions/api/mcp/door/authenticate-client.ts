import { decodeJwt } from 'jose';
import { type Actor, authenticate, type Credentials } from '../../../../shared/auth/actor.ts';
import { authenticateApp } from '../../../../shared/auth/app.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { createChallenge } from './challenge.ts';

/**
 * Checks that no page of a foreign origin asks, which a browser could lead here by a name of its own. What isn't a browser
 * sends no `Origin`.
 * @throws AppError FORBIDDEN
 */
const assertOrigin = (origin: string | undefined): void => {
  if (origin === undefined || origin === getSetting('PUBLIC_URL')) return;
  const allowed = getSetting('CORS_ORIGINS');
  if (allowed.includes('*') || allowed.includes(origin)) return;
  throw new AppError('FORBIDDEN', 'Pages of this origin can’t call tools.');
};

/** Tells by its claims, which are not proven yet, whether a token is that of a connected app. */
const isOfApp = (token: string): boolean => {
  try {
    return decodeJwt(token)['typ'] === 'app';
  } catch {
    return false;
  }
};

const unauthorized = (hasToken: boolean, cause?: unknown): AppError => {
  const description = 'The access token is missing, invalid or expired.';
  return new AppError('UNAUTHORIZED', description, {
    cause,
    headers: createChallenge(hasToken ? { error: 'invalid_token', description } : undefined),
  });
};

/**
 * Authenticates a request by the token in its `Authorization` header: an API token, the access token of a session, or that of
 * a connected app. Cookies are never read, because browsers send them without being asked to (decisions.md#assistants).
 * @throws AppError UNAUTHORIZED with the challenge that leads to the metadata; FORBIDDEN for a page of a foreign origin
 */
export const authenticateClient = async ({ method, headers }: Credentials): Promise<Actor> => {
  const { origin, authorization } = headers;
  assertOrigin(origin);
  const token = authorization?.match(/^bearer +([\w.-]+)$/i)?.[1];
  if (token === undefined) throw unauthorized(false);
  try {
    if (isOfApp(token)) return await authenticateApp(token);
    return await authenticate({
      method,
      headers: { authorization: `Bearer ${token}` },
      cookies: undefined,
      hasBody: true,
    });
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'UNAUTHORIZED';
    throw isRefused ? unauthorized(true, error) : error;
  }
};
