import { hash } from 'node:crypto';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const TOKEN_MS = 10 * 60 * 1000;

interface Remembered {
  until: number;
  digest: string;
  answer: object;
}

export interface RequestTokens {
  /** Returns the response to repeat, `'mismatch'` if the token was used for another request, or undefined. */
  find(token: string, digest: string): object | 'mismatch' | undefined;
  /** Keeps the response of a successful request for ten minutes, for repeats. */
  remember(token: string, digest: string, response: object): void;
}

/** Returns a hash that identifies the content of a request. */
export const digestRequest = (content: unknown): string =>
  hash('sha256', JSON.stringify(content), 'base64');

/** Creates a record of the client tokens of successful transactions. */
export const createRequestTokens = (): RequestTokens => {
  const byToken = new Map<string, Remembered>();

  const forgetExpired = (now: number): void => {
    for (const [token, { until }] of byToken) {
      // A Map keeps the order of insertion, and all tokens have the same lifetime.
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
      // A UUID is made of many strings, which would all be kept.
      const whole = Buffer.from(token).toString();
      byToken.delete(whole);
      byToken.set(whole, { until: now + TOKEN_MS, digest, answer: response });
    },
  };
};
