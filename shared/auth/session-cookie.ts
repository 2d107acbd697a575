import { AppError } from '../runtime/errors.ts';
import { findCookie } from './find-cookie.ts';

/** The prefix makes browsers require https, this exact host and the path `/`. */
export const sessionCookieName = '__Host-session';

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict';

/** Creates the `Set-Cookie` value of a session with a lifetime in ms. */
export const sessionCookie = (token: string, lifetimeMs: number): string =>
  `${sessionCookieName}=${token}; ${attributes}; Max-Age=${Math.floor(lifetimeMs / 1_000)}`;

/** The `Set-Cookie` value that deletes the session cookie. */
export const clearedSessionCookie = `${sessionCookieName}=; ${attributes}; Max-Age=0`;

/** Finds the session token in the cookies of a request. */
export const readSessionCookie = (cookies?: readonly string[]): string | undefined =>
  findCookie(sessionCookieName, cookies);

const isOfHost = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/** The parts of a request that show its origin. */
interface Sent {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Returns whether the browser reports a cross-site request. Such a response never sets a session cookie. */
export const isCrossSite = ({ headers }: Sent): boolean => {
  const { origin, host, 'sec-fetch-site': site } = headers;
  return (
    (site !== undefined && site !== 'same-origin') ||
    (origin !== undefined && !isOfHost(origin, host))
  );
};

/**
 * Checks that a changing request with the cookie is same-site and its body JSON, which a form or script of another site
 * cannot send (decisions.md#cookie). Requests without `Origin` and `Sec-Fetch-Site` do not come from a browser.
 * @throws AppError FORBIDDEN
 */
export const assertSameSite = (
  request: Sent & { readonly method: string; readonly hasBody: boolean },
): void => {
  const { method, headers, hasBody } = request;
  if (method === 'GET' || method === 'HEAD') return;
  const { 'content-type': type = '' } = headers;
  if (isCrossSite(request)) throw new AppError('FORBIDDEN', 'Cross-site requests are not allowed.');
  if (hasBody && !/^application\/json\b/i.test(type)) {
    throw new AppError('FORBIDDEN', 'Requests with a session cookie must use application/json.');
  }
};
