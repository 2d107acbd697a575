import type { Caller } from '../../../shared/http/route.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface WithEmail {
  readonly body: { readonly email: string };
  readonly caller: Caller;
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
    by: ({ caller }: WithEmail) => caller.network,
  },
  {
    name: 'login',
    tokens: 10,
    perMs: 15 * minuteMs,
    guardsPassword: true,
    by: ({ body, caller }: WithEmail) => `${body.email} ${caller.network}`,
  },
  {
    name: 'login-email',
    tokens: 100,
    perMs: 15 * minuteMs,
    guardsPassword: true,
    isShared: true,
    by: ({ body }: WithEmail) => body.email,
  },
] as const;

export const registerLimits = [
  {
    name: 'register',
    tokens: 20,
    perMs: hourMs,
    by: ({ caller }: { readonly caller: Caller }) => caller.network,
  },
] as const;

export const forgotLimits = [
  {
    name: 'forgot-address',
    tokens: 20,
    perMs: hourMs,
    isShared: true,
    by: ({ caller }: WithEmail) => caller.network,
  },
  { name: 'forgot', tokens: 5, perMs: hourMs, by: ({ body }: WithEmail) => body.email },
] as const;
