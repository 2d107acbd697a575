import type { Actor } from '../../../shared/auth/actor.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';

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
  {
    name: 'login-address',
    tokens: 100,
    perMs: 15 * minuteMs,
    guardsPassword: true,
    // The response must not reveal other people behind the same address.
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

/**
 * Limits of verification links: those a user asks for, and those that an address gets that isn't the user's yet. Others can't
 * use up the links of a user's own address.
 */
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
    isShared: true,
    key: ({ actor }: { readonly actor: Actor }) => actor.user.pendingEmail,
  },
] as const;
