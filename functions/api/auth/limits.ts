import type { ClientInfo } from '../../../shared/http/route.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface WithEmail {
  readonly body: { readonly email: string };
  readonly client: ClientInfo;
}

/**
 * Tries to sign in; the schema has put the e-mail address in lower case. An address is counted over all accounts first: who
 * tries a list of them is refused by one write.
 */
export const loginLimits = [
  {
    name: 'login-address',
    tokens: 100,
    perMs: 15 * minuteMs,
    guardsPassword: true,
    // People behind one address don't learn of each other.
    isShared: true,
    key: ({ client }: WithEmail) => client.network,
  },
  {
    name: 'login',
    tokens: 10,
    perMs: 15 * minuteMs,
    guardsPassword: true,
    key: ({ body, client }: WithEmail) => `${body.email} ${client.network}`,
  },
  {
    name: 'login-email',
    tokens: 100,
    perMs: 15 * minuteMs,
    guardsPassword: true,
    isShared: true,
    key: ({ body }: WithEmail) => body.email,
  },
] as const;

export const registerLimits = [
  {
    name: 'register',
    tokens: 20,
    perMs: hourMs,
    key: ({ client }: { readonly client: ClientInfo }) => client.network,
  },
] as const;

export const forgotLimits = [
  {
    name: 'forgot-address',
    tokens: 20,
    perMs: hourMs,
    isShared: true,
    key: ({ client }: WithEmail) => client.network,
  },
  { name: 'forgot', tokens: 5, perMs: hourMs, key: ({ body }: WithEmail) => body.email },
] as const;
