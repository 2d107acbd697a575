import { createWorker } from '../../../shared/jobs/job-type.ts';
import { enqueueOrThrow } from '../../../shared/jobs/queue.ts';
import { isBusOn } from '../../../shared/webhooks/event-bus.ts';
import { isOwnEvent } from '../../../shared/webhooks/events.ts';
import {
  busEvents,
  webhookDelivery,
  webhookEvent,
  webhookRedelivery,
  webhookRemoval,
} from '../../../shared/webhooks/jobs.ts';

// Loads each module with its first job: most batches have none.
export const work = [
  createWorker(webhookEvent, async ({ userId, event }) => {
    const { recordEvent } = await import('./delivering/record-event.ts');
    await recordEvent(userId, event);
    // Those of the audit are put there once, whoever of its webhooks want them.
    if (isBusOn() && isOwnEvent(event.type)) {
      await enqueueOrThrow(busEvents, { events: [{ ...event, userId }] });
    }
  }),
  createWorker(webhookDelivery, async (webhook) =>
    (await import('./delivering/lane.ts')).deliverDue(webhook),
  ),
  createWorker(webhookRedelivery, async ({ userId, hookId, after }) =>
    (await import('./delivering/redeliver-failed.ts')).redeliverFailed(userId, hookId, after),
  ),
  createWorker(webhookRemoval, async ({ hookId }) =>
    (await import('./delivering/remove-deliveries.ts')).removeDeliveries(hookId),
  ),
];
