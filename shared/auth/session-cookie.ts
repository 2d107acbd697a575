import { AppError } from '../runtime/errors.ts';

/** The prefix makes browsers insist on https, on this very host, and on the path `/`. */
const name = '__Host-session';

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict';

/** The header's value that gives a browser the session, for so many ms. */
export const sessionCookie = (token: string, lifetimeMs: number): string =>
  `${name}=${token}; ${attributes}; Max-Age=${Math.floor(lifetimeMs / 1_000)}`;

/** The header's value that takes it away. */
export const clearedSessionCookie = `${name}=; ${attributes}; Max-Age=0`;

/** The session's token among a request's cookies. */
export const readSessionCookie = (cookies: readonly string[] = []): string | undefined =>
  cookies
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const isOfHost = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

/** What of a request tells which site it comes from. */
interface Sent {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Does a browser say that another site sends the request? Such a site is never given a session by its answer. */
export const isCrossSite = ({ headers }: Sent): boolean => {
  const { origin, host, 'sec-fetch-site': site } = headers;
  return (
    (site !== undefined && site !== 'same-origin') ||
    (origin !== undefined && !isOfHost(origin, host))
  );
};

/**
 * A request that changes something by the cookie must come from this site, and its body, if any, be JSON: what another
 * site's form or script can send is neither (decisions.md#cookie). Without both headers it is no browser that asks.
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
