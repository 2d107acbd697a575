import type { Actor } from '../../../shared/auth/actor.ts';
import { perNetwork } from '../../../shared/http/network-limits.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { toAddressBucket } from '../users/limits.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface WithEmail {
  readonly body: { readonly email: string };
  readonly client: ClientInfo;
}

/**
 * Limits of sign-in attempts. The schema has lowercased the email address. The network over all accounts comes first, so
 * that trying a list of accounts is rejected by one write.
 */
export const loginLimits = [
  ...perNetwork({
    name: 'login-address',
    tokens: 100,
    perMs: 15 * minuteMs,
    site: { tokens: 500 },
    guardsPassword: true,
    // The response must not reveal other people behind the same address.
    isShared: true,
  }),
  ...perNetwork(
    { name: 'login', tokens: 10, perMs: 15 * minuteMs, site: { tokens: 30 }, guardsPassword: true },
    ({ body }: WithEmail) => body.email,
  ),
  {
    name: 'login-email',
    tokens: 100,
    perMs: 15 * minuteMs,
    guardsPassword: true,
    isShared: true,
    // Guesses from elsewhere must not block the places that the account knows.
    isRoutesChoice: true,
    key: ({ body }: WithEmail) => body.email,
  },
] as const;

/** Limits attempts at an account from a wide network while the limit of the account is reached. */
export const placeLimit = {
  name: 'login-place',
  tokens: 20,
  perMs: 15 * minuteMs,
  guardsPassword: true,
} as const;

export const registerLimits = perNetwork({
  name: 'register',
  tokens: 20,
  perMs: hourMs,
  site: { tokens: 100 },
});

export const forgotLimits = perNetwork({
  name: 'forgot-address',
  tokens: 20,
  perMs: hourMs,
  site: { tokens: 100 },
  isShared: true,
});

/** Limits the emails to an address. Requests beyond it get the same response. */
export const resetEmailLimit = { name: 'forgot', tokens: 5, perMs: hourMs } as const;

/**
 * Limits of codes that sign in, by network, and for an address and a network: three, then one an hour. The response must not
 * reveal whether the account has had more, so these are no looser than its own limits.
 */
export const emailCodeLimits = [
  ...perNetwork({
    name: 'email-code-address',
    tokens: 20,
    perMs: hourMs,
    site: { tokens: 100 },
    isShared: true,
  }),
  ...perNetwork(
    { name: 'email-code', tokens: 3, perMs: 3 * hourMs, site: { tokens: 10 } },
    ({ body }: WithEmail) => body.email,
  ),
] as const;

interface WithEmailCode {
  readonly body: { readonly email?: string | null | undefined };
  readonly client: ClientInfo;
}

/** Limits how often codes are tried. Each code has its own limit, too; links can't be guessed. */
export const emailCodeTryLimits = [
  ...perNetwork({
    name: 'email-code-try-address',
    tokens: 100,
    perMs: 15 * minuteMs,
    site: { tokens: 500 },
    guardsPassword: true,
    isShared: true,
  }),
  ...perNetwork(
    {
      name: 'email-code-try',
      tokens: 10,
      perMs: 15 * minuteMs,
      site: { tokens: 30 },
      guardsPassword: true,
    },
    ({ body }: WithEmailCode) => body.email ?? undefined,
  ),
] as const;

/** Limits of verification links: those a user asks for, and those of them to an address that isn't the user's yet. */
export const verificationLimits = [
  {
    name: 'verification',
    tokens: 5,
    perMs: hourMs,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
  {
    name: 'verification-address',
    tokens: 5,
    perMs: hourMs,
    key: ({ actor }: { readonly actor: Actor }) => toAddressBucket(actor, actor.user.pendingEmail),
  },
] as const;
