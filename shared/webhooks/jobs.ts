import * as z from 'zod';
import { defineJob } from '../jobs/job-type.ts';

const Event = z.object({
  id: z.string().max(64),
  type: z.string().max(64),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/** Makes the deliveries of an event to those of a user's webhooks that want it. */
export const webhookEvent = defineJob('webhook-event', z.object({ userId: z.int(), event: Event }));

/** Puts events on the event bus, with the user to whom each belongs: those of the audit belong to nobody. */
export const busEvents = defineJob(
  'bus-events',
  z.object({
    events: z
      .array(Event.extend({ userId: z.int().optional() }))
      .min(1)
      .max(10),
  }),
);

/** Delivers what is due of a webhook. Any number of these for one webhook deliver nothing twice. */
export const webhookDelivery = defineJob(
  'webhook-delivery',
  z.object({ userId: z.int(), hookId: z.int() }),
  { queue: 'hooks' },
);

/** Delivers what failed for good again: the deliveries after one, from the oldest on. */
export const webhookRedelivery = defineJob(
  'webhook-redelivery',
  z.object({ userId: z.int(), hookId: z.int(), after: z.string().optional() }),
);

/** Deletes the deliveries of a webhook that was deleted. */
export const webhookRemoval = defineJob('webhook-removal', z.object({ hookId: z.int() }));
