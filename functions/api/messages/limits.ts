import type { Actor } from '../../../shared/auth/actor.ts';
import type { PairLimit } from '../../../shared/http/pair-limit.ts';

const minuteMs = 60_000;

/** Messages that a user sends, whomever to. */
export const sendLimits = [
  {
    name: 'message',
    tokens: 60,
    perMs: 10 * minuteMs,
    key: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

/** Messages from one user to one other: nobody is flooded by somebody. */
export const messagesToOne: PairLimit = {
  name: 'message-to',
  tokens: 30,
  perMs: 60 * minuteMs,
  field: 'recipients',
  what: 'messages',
};
