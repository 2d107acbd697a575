import type { Actor } from '../../../shared/auth/actor.ts';
import { perNetwork } from '../../../shared/http/network-limits.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { metadataLimits } from './clients/limits.ts';

const minuteMs = 60_000;

const perUser = ({ actor }: { readonly actor: Actor }) => String(actor.user.id);

/**
 * Limits requests that fail at the token endpoint. Those that succeed don't count, because all users of a hosted assistant come
 * from its few networks.
 */
export const tokenLimits = perNetwork({
  name: 'oauth-token',
  tokens: 300,
  perMs: 10 * minuteMs,
  site: { tokens: 1_500 },
  failuresOnly: true,
  isShared: true,
});

/** Limits revocations, which succeed whatever they name. */
export const revocationLimits = perNetwork({
  name: 'oauth-revoke',
  tokens: 300,
  perMs: 10 * minuteMs,
  site: { tokens: 1_500 },
  isShared: true,
});

interface Asking {
  readonly client: ClientInfo;
  readonly query: { readonly client_id?: string | undefined };
}

interface Deciding {
  readonly client: ClientInfo;
  readonly body: { readonly clientId: string };
}

/** Limits what a user asks about clients, whose metadata may have to be fetched. */
export const authorizationLimits = [
  { name: 'app-request', tokens: 60, perMs: 10 * minuteMs, key: perUser },
  ...metadataLimits(({ query }: Asking) => query.client_id),
] as const;

/** Limits decisions of a user, each of which may store a code. */
export const consentLimits = [
  { name: 'app-consent', tokens: 60, perMs: 10 * minuteMs, key: perUser },
  ...metadataLimits(({ body }: Deciding) => body.clientId),
] as const;
