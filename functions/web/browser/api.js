import { commonTexts as texts } from './texts.ts';

/** @typedef {{ field: string, message: string }} Detail */

/** An answer that is none of success. Its message may be shown. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 where there was no answer at all
   * @param {string} message
   * @param {Detail[]} details
   */
  constructor(status, message, details = []) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** How long an answer may take; the gateway waits 30 s for one. ms. */
export const mostWaitMs = 60_000;

/** Where the gateway answers by itself, it has no text for people. */
const passing = [429, 502, 503, 504];

/**
 * @param {number} status
 * @param {any} answer the body, if it is JSON
 */
export const getFailure = (status, response) => {
  const { message, details } = response?.error ?? {};
  const unsaid = passing.includes(status) ? texts.busy : texts.failed;
  return new ApiError(status, message ?? unsaid, details);
};

/**
 * Asks the API, as whoever the session cookie says.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [more] further headers
 * @returns {Promise<any>} the body of the answer
 */
export const request = async (method, path, body, more = {}) => {
  const init =
    body === undefined
      ? { headers: more }
      : { headers: { 'content-type': 'application/json', ...more }, body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(mostWaitMs);
  const sent = fetch(path, { method, credentials: 'same-origin', signal, ...init });
  const response = await sent.catch(() => {
    throw new ApiError(0, texts.unreachable);
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  throw getFailure(response.status, answer);
};

/** @param {unknown} failure */
export const getMessage = (failure) =>
  failure instanceof ApiError ? failure.message : texts.failed;

/** Where to sign in, and from there come back to this very page. */
export const loginPath = () => {
  const here = encodeURIComponent(location.pathname + location.search);
  return `/login?next=${here.replaceAll('%2F', '/')}`;
};

/**
 * Asks the API; where the session has ended it goes to sign in, and what waits for the answer waits for good.
 * @type {typeof request}
 */
export const requestOrSignIn = async (method, path, body, more) => {
  try {
    return await request(method, path, body, more);
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status !== 401) throw failure;
    location.replace(loginPath());
    return new Promise(() => {});
  }
};
