import { ApiError } from './api-error.ts';
import { orAbort } from './transport.ts';

/** The tokens of a session; an API token has no refresh token. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
}

/** Where tokens are kept, such as in memory. */
export interface TokenStore {
  read(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Stores renewed tokens; `undefined` once the session has ended. */
  write(tokens: Tokens | undefined): void | Promise<void>;
}

/** The credentials that a request was sent with. */
export interface Credentials {
  readonly accessToken: string | undefined;
  /** How many times the session had been renewed. */
  readonly renewals: number;
}

export interface SessionSettings {
  readonly tokens: TokenStore | undefined;
  /** Exchanges a refresh token. @throws ApiError */
  readonly refresh: (refreshToken: string) => Promise<Tokens>;
  readonly onSignedOut: (() => unknown) | undefined;
}

interface Locks {
  request<Value>(name: string, run: () => Promise<Value>): Promise<Value>;
}

/** Runs a task in one tab at a time, where browsers can. */
const inTurn = <Value>(run: () => Promise<Value>): Promise<Value> => {
  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
  return locks ? locks.request('handbill-session', run) : run();
};

/** Creates the session of a client. Concurrent callers whose session has ended renew it once. */
export const createSession = ({ tokens, refresh, onSignedOut }: SessionSettings) => {
  let renewals = 0;
  let pending: Promise<boolean> | undefined;

  /** Returns whether there are tokens to repeat the request with. A refresh token works once, so tabs take turns. */
  const renewTokens = (store: TokenStore, used: Credentials): Promise<boolean> =>
    inTurn(async () => {
      const stored = await store.read();
      if (stored && stored.accessToken !== used.accessToken) return true;
      if (stored?.refreshToken === undefined) return false;
      try {
        await store.write(await refresh(stored.refreshToken));
        return true;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        await store.write(undefined);
        return false;
      }
    });

  const recoverOnce = async (used: Credentials): Promise<boolean> => {
    const isBack =
      (tokens !== undefined && (await renewTokens(tokens, used))) ||
      (onSignedOut !== undefined && (await onSignedOut()) !== false);
    if (isBack) renewals++;
    return isBack;
  };

  return {
    /** Reads the credentials for a request. */
    async getCredentials(): Promise<Credentials> {
      return { accessToken: (await tokens?.read())?.accessToken, renewals };
    },
    /**
     * Recovers after a 401: renews the tokens, or lets the user sign in. Returns whether to repeat the request.
     * @throws ApiError if the tokens can't be renewed now; the reason of the signal if it aborts
     */
    recover(used: Credentials, signal: AbortSignal | undefined): Promise<boolean> {
      if (used.renewals !== renewals) return Promise.resolve(true);
      pending ??= recoverOnce(used).finally(() => {
        pending = undefined;
      });
      return orAbort(pending, signal);
    },
  };
};
