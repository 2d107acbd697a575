import type { Actor } from '../../../shared/auth/actor.ts';
import type { PairLimit } from '../../../shared/http/pair-limit.ts';

const minuteMs = 60_000;

/** Limits the messages that a user sends. */
export const sendLimits = [
  {
    name: 'message',
    tokens: 60,
    perMs: 10 * minuteMs,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

/** Limits the messages from one user to another. */
export const recipientLimit: PairLimit = {
  name: 'message-to',
  tokens: 30,
  perMs: 60 * minuteMs,
  field: 'recipients',
  what: 'messages',
};
