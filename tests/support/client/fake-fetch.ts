import { vi } from 'vitest';

/** A request that a client sent. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly init: RequestInit;
}

/** Answers a request; throws for a lost connection. */
export type Respond = (request: SentRequest, count: number) => Response | Promise<Response>;

export const ok = (data: unknown = {}, headers: Record<string, string> = {}): Response =>
  Response.json({ success: true, data }, { headers });

export const failure = (
  status: number,
  error: object = {},
  headers: Record<string, string> = {},
): Response => Response.json({ success: false, error }, { status, headers });

export const lost = (): never => {
  throw new TypeError('fetch failed');
};

/** Never responds, but ends when the client gives up. */
export const hang: Respond = ({ init }) =>
  new Promise((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });

/** Creates a fetch that records requests and answers each by the next of the responses; the last one repeats. */
export const fakeFetch = (...responses: readonly Respond[]) => {
  const sent: SentRequest[] = [];
  const fetchIt: typeof fetch = async (input, init = {}) => {
    const { method = 'GET', headers = {} } = init;
    const request = {
      url: String(input),
      method,
      headers: Object.fromEntries(new Headers(headers)),
      init,
    };
    sent.push(request);
    const respond = responses[Math.min(sent.length, responses.length) - 1];
    if (!respond) throw new Error('No response');
    return respond(request, sent.length);
  };
  return { fetch: fetchIt, sent };
};

/** Runs all timers until a promise is settled, and returns how it settled. */
export const settle = async (
  promise: Promise<unknown>,
): Promise<{ readonly value?: unknown; readonly error?: unknown }> => {
  const settled = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await vi.runAllTimersAsync();
  return settled;
};
