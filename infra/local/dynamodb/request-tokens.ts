import { createHash } from 'node:crypto';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const TOKEN_MS = 10 * 60 * 1000;

interface Remembered {
  until: number;
  digest: string;
  answer: object;
}

export interface RequestTokens {
  /** The answer to a repeat, `'mismatch'` if the token came with another request, or neither. */
  find(token: string, digest: string): object | 'mismatch' | undefined;
  /** Keeps the answer to repeats of a request that has succeeded, for ten minutes. */
  remember(token: string, digest: string, response: object): void;
}

/** What tells one request's content from another's. */
export const digestRequest = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64');

/** Remembers the client tokens of transactions that have succeeded. */
export const createRequestTokens = (): RequestTokens => {
  const byToken = new Map<string, Remembered>();

  const forgetExpired = (now: number): void => {
    for (const [token, { until }] of byToken) {
      // A Map keeps the order of insertion, and all live equally long.
      if (until > now) return;
      byToken.delete(token);
    }
  };

  return {
    find(token, digest) {
      const found = byToken.get(token);
      if (!found || found.until <= Date.now()) return undefined;
      return found.digest === digest ? found.answer : 'mismatch';
    },
    remember(token, digest, response) {
      const now = Date.now();
      forgetExpired(now);
      byToken.delete(token);
      byToken.set(token, { until: now + TOKEN_MS, digest, answer: response });
    },
  };
};
