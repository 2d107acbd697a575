import type { Actor } from '../../shared/actor.ts';
import { withDeadline } from '../../shared/deadline.ts';
import { AppError } from '../../shared/errors.ts';
import { unlessItFails } from '../../shared/middleware/rate-limit.ts';
import { returnToken, takeToken } from '../../shared/rate-limit.ts';

const minuteMs = 60_000;

/** Messages that a user sends, whomever to. */
export const sendLimits = [
  {
    name: 'message',
    tokens: 60,
    perMs: 10 * minuteMs,
    by: ({ actor }: { readonly actor: Actor }) => String(actor.user.id),
  },
] as const;

/** Messages from one user to one other: nobody is flooded by somebody. */
const ofPair = { name: 'message-to', tokens: 30, perMs: 60 * minuteMs } as const;

const timeoutMs = 1_000;

/**
 * Counts a message to each of its recipients. A message that is refused counts for none.
 * @throws AppError RATE_LIMITED that names those who have had too many from this user
 */
export const countForRecipients = async (
  senderId: number,
  recipientIds: readonly number[],
): Promise<void> => {
  const pair = (id: number) => `${senderId} ${id}`;
  const takings = await withDeadline(timeoutMs, (signal) =>
    Promise.all(
      recipientIds.map(async (id) => ({
        id,
        taking: await unlessItFails(() => takeToken(ofPair, pair(id), signal)),
      })),
    ),
  );
  const refused = takings.filter(({ taking }) => taking?.isTaken === false);
  if (refused.length === 0) return;
  const taken = takings.filter(({ taking }) => taking?.isTaken);
  await withDeadline(timeoutMs, (signal) =>
    Promise.all(taken.map(({ id }) => unlessItFails(() => returnToken(ofPair, pair(id), signal)))),
  );
  const nextMs = Math.max(...refused.map(({ taking }) => taking?.nextMs ?? 0));
  const message = `had too many messages from you: ${refused.map(({ id }) => id).join(', ')}`;
  throw new AppError('RATE_LIMITED', `Some of the recipients ${message}`, {
    details: [{ field: 'recipients', message }],
    headers: { 'retry-after': String(Math.max(1, Math.ceil(nextMs / 1_000))) },
  });
};
