import { ApiError, timedOut, toApiError, unreachable } from './api-error.ts';

/** A request with everything that a fetch needs. */
export interface TransportRequest {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A response of the API. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown;
}

/** A successful response: its data, and what `call` leaves out. */
export interface ApiResponse<Value, Body = unknown> {
  readonly status: number;
  readonly data: Value;
  /** The whole body, with what is beside `data` in an envelope. */
  readonly body: Body;
  /** The version of the record. Send it back as `ifMatch`. */
  readonly etag: string | undefined;
  readonly headers: Headers;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Waits unless the signal aborts. @throws its reason */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  orAbort(new Promise((resolve) => setTimeout(resolve, ms)), signal);

/** Waits for a promise unless the signal aborts first. @throws its reason */
export const orAbort = <Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });

/**
 * Sends a request once, and reads the whole response within the time-out.
 * @throws ApiError; the reason of the signal if it aborts
 */
export const transmit = async (request: TransportRequest): Promise<RawResponse> => {
  const { fetch, url, init, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort);
  // A timer can't wait for Infinity.
  const timer = Number.isFinite(timeoutMs) ? setTimeout(abort, timeoutMs) : undefined;
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    const { status, headers, type } = response;
    // Browsers hide redirects from scripts; that there is one says that the request has succeeded.
    if (type === 'opaqueredirect') return { status: 302, headers, body: undefined };
    const body = parseJson(await response.text());
    const isSuccess = (response.ok || status === 302) && body !== undefined;
    if (isSuccess || status === 304) return { status, headers, body };
    throw toApiError(response, body);
  } catch (error) {
    signal?.throwIfAborted();
    if (controller.signal.aborted) throw timedOut();
    throw error instanceof ApiError ? error : unreachable(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};
