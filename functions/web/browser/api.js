import { commonTexts as texts } from './texts.ts';

/** @typedef {{ field: string, message: string }} Detail */

/** A failed request. Its message can be shown to the user. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 if there was no response
   * @param {string} message
   * @param {Detail[]} details
   */
  constructor(status, message, details = []) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** The longest wait for a response. The gateway itself waits 30 s. ms. */
export const maxWaitMs = 60_000;

// The gateway's own error responses have no message for users.
const transientStatuses = [429, 502, 503, 504];

/**
 * Creates the error of a failed request.
 * @param {number} status
 * @param {any} response the parsed JSON body, if any
 */
export const toApiError = (status, response) => {
  const { message, details } = response?.error ?? {};
  const fallback = transientStatuses.includes(status) ? texts.busy : texts.failed;
  return new ApiError(status, message ?? fallback, details);
};

/**
 * Sends a request to the API with the session cookie.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [more] further headers
 * @returns {Promise<any>} the response body
 * @throws ApiError
 */
export const request = async (method, path, body, more = {}) => {
  const init =
    body === undefined
      ? { headers: more }
      : { headers: { 'content-type': 'application/json', ...more }, body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(maxWaitMs);
  const sent = fetch(path, { method, credentials: 'same-origin', signal, ...init });
  const response = await sent.catch(() => {
    throw new ApiError(0, texts.unreachable);
  });
  const data = await response.json().catch(() => undefined);
  if (response.ok && data !== undefined) return data;
  throw toApiError(response.status, data);
};

/** Returns the message of an error to show. @param {unknown} failure */
export const getMessage = (failure) =>
  failure instanceof ApiError ? failure.message : texts.failed;

/** Returns the path of the sign-in page that leads back to this page. */
export const getLoginPath = () => {
  const here = encodeURIComponent(location.pathname + location.search);
  return `/login?next=${here.replaceAll('%2F', '/')}`;
};

/**
 * Sends a request to the API, and goes to the sign-in page if the session has ended. The promise then never settles.
 * @type {typeof request}
 */
export const requestOrSignIn = async (method, path, body, more) => {
  try {
    return await request(method, path, body, more);
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status !== 401) throw failure;
    location.replace(getLoginPath());
    return new Promise(() => {});
  }
};
