import type { Actor } from '../../../shared/auth/actor.ts';

const tenMinutesMs = 600_000;

const ofUser = ({ actor }: { readonly actor: Actor }): string => String(actor.user.id);

/** Limits changes of webhooks. */
export const changeLimits = [
  { name: 'webhook-change', tokens: 60, perMs: tenMinutesMs, key: ofUser },
] as const;

/** Limits what a user asks to be sent: each is a request to a host of theirs. */
export const sendLimits = [
  { name: 'webhook-send', tokens: 30, perMs: tenMinutesMs, key: ofUser },
] as const;
