import { setTimeout as wait } from 'node:timers/promises';
import { CommandError } from './command.ts';
import type { SaleLine } from './sales-file.ts';

/** What became of a sale that was sent. */
export type Sent = 'recorded' | 'repeated' | { readonly problem: string };

const requestMs = 30_000;
const maxTries = 6;
/** Who asks to be left alone for longer is asked again all the same. */
const maxPauseMs = 60_000;
const firstPauseMs = 500;

/** Answers that may be others at the next try. */
const passing = new Set([429, 502, 503, 504]);

/** How long to wait after a try, counted from 1, in ms: what the service says, else twice as long each time. */
const pauseAfter = (attempt: number, retryAfter: string | null): number => {
  const seconds = Number(retryAfter ?? Number.NaN);
  const pauseMs = Number.isFinite(seconds) ? seconds * 1_000 : firstPauseMs * 2 ** (attempt - 1);
  return Math.min(Math.max(pauseMs, 0), maxPauseMs);
};

/** The sentence of an error envelope, with all that is wrong. */
const describeProblem = async (response: Response): Promise<string> => {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    const details: readonly { field: string; message: string }[] = error.details;
    const all = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
    return all || String(error.message);
  } catch {
    return `the service answered ${response.status}`;
  }
};

/**
 * Where sales are sent to.
 * @throws CommandError when the address is none, or the token would be sent to it in the clear
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
    throw new CommandError(
      `Set --url to an address with https: the token would be sent in the clear.`,
    );
  }
  return url;
};

/**
 * What sends a sale to the service, again where it is busy or does not answer: the service knows it by its `externalId`.
 * @throws CommandError when there is no sense in sending others
 */
export const createSender =
  (url: URL, token: string, pause: (ms: number) => Promise<unknown> = wait) =>
  async (sale: SaleLine): Promise<Sent> => {
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
        return response.headers.get('idempotency-replayed') === 'true' ? 'repeated' : 'recorded';
      }
      if (response?.status === 401) {
        throw new CommandError('The service does not know the token: make one under /account.');
      }
      if (response?.status === 403) {
        throw new CommandError('The token may not record sales: it lacks sales:create.');
      }
      if (response && (response.status === 404 || response.status < 400)) {
        throw new CommandError(`There is no Handbill at ${url.origin}.`);
      }
      if (response && !passing.has(response.status))
        return { problem: await describeProblem(response) };
      if (attempt === maxTries) {
        if (response) return { problem: await describeProblem(response) };
        throw new CommandError(`${url.origin} does not answer.`);
      }
      await response?.arrayBuffer();
      await pause(pauseAfter(attempt, response?.headers.get('retry-after') ?? null));
    }
  };
