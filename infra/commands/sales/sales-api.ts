import { setTimeout as wait } from 'node:timers/promises';
import { CommandError } from '../command.ts';
import type { SaleBody } from './sales-file.ts';

/** The outcome of sending a sale. */
export type SendResult = 'recorded' | 'duplicate' | { readonly problem: string };

const requestMs = 30_000;
const maxAttempts = 6;
/** Limits a longer Retry-After of the service. */
const maxPauseMs = 60_000;
const firstPauseMs = 500;

const transientStatuses = new Set([429, 502, 503, 504]);

/** Returns the pause (ms) after an attempt, counted from 1: Retry-After, or a doubling backoff. */
const getPauseMs = (attempt: number, retryAfter: string | null): number => {
  const seconds = Number(retryAfter ?? Number.NaN);
  const pauseMs = Number.isFinite(seconds) ? seconds * 1_000 : firstPauseMs * 2 ** (attempt - 1);
  return Math.min(Math.max(pauseMs, 0), maxPauseMs);
};

/** Returns all details of an error response, or its message. */
const describeProblem = async (response: Response): Promise<string> => {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    const details: readonly { field: string; message: string }[] = error.details;
    const all = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
    return all || String(error.message);
  } catch {
    return `the service returned ${response.status}`;
  }
};

/**
 * Returns the URL that sales are sent to.
 * @throws CommandError when the address is invalid, or would receive the token unencrypted
 */
export const createClient = (address: string): URL => {
  const url = URL.parse('/api/sales', address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(
      'Set --url to the address of the service, such as https://api.example.com.',
    );
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal) {
    throw new CommandError('Set --url to an https address, to protect the token.');
  }
  return url;
};

/**
 * Returns a function that sends a sale, and repeats the request while the service is busy or unavailable. The `externalId`
 * makes repeats idempotent. The function throws a CommandError when every other sale would fail as well.
 */
export const createSender =
  (url: URL, token: string, pause: (ms: number) => Promise<unknown> = wait) =>
  async (sale: SaleBody): Promise<SendResult> => {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(sale),
        redirect: 'manual',
        signal: AbortSignal.timeout(requestMs),
      }).catch(() => undefined);
      if (response?.status === 201) {
        await response.arrayBuffer();
        return response.headers.get('idempotency-replayed') === 'true' ? 'duplicate' : 'recorded';
      }
      if (response?.status === 401) {
        throw new CommandError('Invalid API token. Create one at /account.');
      }
      if (response?.status === 403) {
        throw new CommandError('The API token lacks sales:create.');
      }
      if (response && (response.status === 404 || response.status < 400)) {
        throw new CommandError(`No Handbill service at ${url.origin}.`);
      }
      if (response && !transientStatuses.has(response.status))
        return { problem: await describeProblem(response) };
      if (attempt === maxAttempts) {
        if (response) return { problem: await describeProblem(response) };
        throw new CommandError(`Can’t reach ${url.origin}.`);
      }
      await response?.arrayBuffer();
      await pause(getPauseMs(attempt, response?.headers.get('retry-after') ?? null));
    }
  };
