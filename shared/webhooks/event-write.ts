import type * as z from 'zod';
import { isActive } from '../auth/user.ts';
import type { Write } from '../db/transaction.ts';
import { enqueueWrite } from '../jobs/outbox.ts';
import { enqueue, enqueueBestEffort } from '../jobs/queue.ts';
import { serializeError } from '../runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../runtime/telemetry.ts';
import { isBusOn } from './event-bus.ts';
import type { OwnEvent } from './event-texts.ts';
import { allOwnEvents, createEventId } from './events.ts';
import { webhookEvent } from './jobs.ts';
import type { OwnEventData } from './payloads.ts';
import type { Told } from './told.ts';

/** What happened, such as `share.ended#<id>#<time>`: told again, it is the same event. */
interface Happening {
  readonly happening: string;
  /** When it happened, if not now (ISO 8601). */
  readonly at?: string | undefined;
}

/** Returns whether anything of a user’s is told of a type of event: a webhook, or the event bus of the service. */
export const isToldOf = (user: Told, type: OwnEvent): boolean =>
  isActive(user) &&
  (isBusOn() ||
    user.webhookEvents?.some((wanted) => wanted === type || wanted === allOwnEvents) === true);

/** The data of a job that tells a user’s webhooks of an event. */
export type EventJob = z.input<typeof webhookEvent.data>;

const toJob = <Type extends OwnEvent>(
  user: Told,
  type: Type,
  data: OwnEventData<Type>,
  { happening, at = new Date().toISOString() }: Happening,
): EventJob => ({
  userId: user.id,
  event: { id: createEventId(happening), type, timestamp: at, data },
});

/** Creates the data of the job `webhookEvent`; `undefined` if nothing wants the event. */
export const eventJob = <Type extends OwnEvent>(
  user: Told,
  type: Type,
  toData: () => OwnEventData<Type>,
  happening: Happening,
): EventJob | undefined =>
  isToldOf(user, type) ? toJob(user, type, toData(), happening) : undefined;

/**
 * Creates the write that tells a user’s webhooks of an event, for the transaction of what happened. `undefined` if none
 * wants it, which costs nothing: `toData` isn’t called.
 */
export const eventWrite = <Type extends OwnEvent>(
  user: Told,
  type: Type,
  toData: () => OwnEventData<Type>,
  happening: Happening,
): Write | undefined => {
  const job = eventJob(user, type, toData, happening);
  return job && enqueueWrite(webhookEvent, job);
};

/**
 * Tells a user’s webhooks of an event that no transaction writes. Never throws. `mayBeLost`: waits for the queue as for
 * activity; otherwise it is lost only if neither queue nor table takes it, or what it says can’t be read.
 */
export const tellEvent = async <Type extends OwnEvent>(
  user: Told,
  type: Type,
  toData: () => OwnEventData<Type> | Promise<OwnEventData<Type>>,
  happening: Happening & { readonly mayBeLost?: boolean },
): Promise<void> => {
  if (!isToldOf(user, type)) return;
  try {
    const job = toJob(user, type, await toData(), happening);
    await (happening.mayBeLost ? enqueueBestEffort : enqueue)(webhookEvent, job);
  } catch (error) {
    getLogger().error('Event lost', { type, error: serializeError(error) });
    getMetrics().addMetric('JobsLost', 'Count', 1);
  }
};
