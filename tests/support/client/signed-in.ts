import { type Client, createClient } from '../../../functions/web/browser/client/client.ts';
import type { Tokens } from '../../../functions/web/browser/client/session.ts';
import type { Person } from '../users/test-users.ts';

/** Creates a client of a service that keeps the tokens of a person. */
export const signInTo = (
  baseUrl: string,
  { token, refreshToken }: Person,
  fetchIt: typeof fetch = fetch,
): Client => {
  let kept: Tokens | undefined = { accessToken: token, refreshToken };
  const tokens = {
    read: () => kept,
    write: (next: Tokens | undefined) => {
      kept = next;
    },
  };
  return createClient({ baseUrl, tokens, fetch: fetchIt });
};
