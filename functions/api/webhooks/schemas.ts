import * as z from 'zod';
import { examplePage, Paginated, Success } from '../../../shared/http/envelope.ts';
import { toBody, webhookFormats } from '../../../shared/webhooks/payload.ts';
import type { FoundDelivery } from './deliveries.ts';
import { deliveryStatuses, maxTries, type StoredDelivery } from './record/delivery.ts';
import { isActive, pauseReasons, type StoredTry, type StoredWebhook } from './record/webhook.ts';

const at = '2026-11-21T12:00:00.000Z';

const exampleTry = { at, delivered: true, httpStatus: 204, reason: null, ms: 84 };

const exampleWebhook = {
  id: 244_212_480_000_000,
  url: 'https://hooks.example.com/handbill',
  label: 'Deploys',
  events: ['share.opened', 'share.reported'],
  format: 'json' as const,
  status: 'working' as const,
  active: true,
  pausedBy: null,
  failures: 0,
  failingSince: null,
  lastDelivery: exampleTry,
  createdAt: at,
  updatedAt: at,
  version: 1,
};

const Try = z.object({
  at: z.iso.datetime(),
  delivered: z.boolean().meta({ description: 'Whether the host answered with 2xx in time.' }),
  httpStatus: z.int().nullable().meta({ description: '`null`: there was no answer.' }),
  reason: z.string().nullable().meta({ description: 'Why it failed, in plain words.' }),
  ms: z.int().nonnegative(),
});

/** A webhook in API responses. */
export const Webhook = z
  .object({
    id: z.int().positive(),
    url: z.string(),
    label: z.string().nullable().meta({ description: 'What you call it.' }),
    events: z
      .array(z.string())
      .meta({ description: 'Types of events; `*` stands for all your own.' }),
    format: z.enum(webhookFormats).meta({ description: '`text`: one line, for chat tools.' }),
    status: z.enum(['working', 'failing', 'paused']).meta({
      description:
        '`failing`: the last try failed. After three days of failures only it is `paused`, and you are told.',
    }),
    active: z.boolean().meta({ description: 'Whether events are sent.' }),
    pausedBy: z.enum(pauseReasons).nullable().meta({
      description:
        'Why it is paused: by you (`owner`), after three days of `failures`, or because its host answered with 410 (`gone`).',
    }),
    failures: z.int().nonnegative().meta({ description: 'Failed tries since the last success.' }),
    failingSince: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the first of them failed.' }),
    lastDelivery: Try.nullable().meta({ description: 'The last try. `null`: there was none.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int().positive(),
  })
  .meta({ id: 'Webhook', examples: [exampleWebhook] });

const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0b5yKq2Wv1E=';

/** A webhook with its secret, which is shown only once. */
export const WebhookWithSecret = Success(
  Webhook.extend({
    secret: z.string().meta({
      description: 'What requests are signed with (https://www.standardwebhooks.com). Copy it now.',
    }),
  }),
).meta({
  id: 'WebhookWithSecret',
  examples: [
    {
      success: true,
      data: { ...exampleWebhook, lastDelivery: null, secret: exampleSecret },
      message: 'Copy the secret now. It won’t be shown again.',
    },
  ],
});

export const WebhookList = Success(z.array(Webhook)).meta({
  id: 'WebhookList',
  examples: [{ success: true, data: [exampleWebhook] }],
});

export const DeletedWebhook = Success(z.object({ id: z.int().positive() })).meta({
  id: 'DeletedWebhook',
  examples: [{ success: true, data: { id: exampleWebhook.id }, message: 'Deleted' }],
});

const exampleDelivery = {
  id: '1795262400000-evt_mZ3kP0cWbq7x1VvH9sTt2A',
  eventId: 'evt_mZ3kP0cWbq7x1VvH9sTt2A',
  type: 'share.opened',
  timestamp: at,
  status: 'delivered' as const,
  tries: 1,
  maxTries,
  lastTry: exampleTry,
  nextTryAt: null,
};

const Delivery = z
  .object({
    id: z.string(),
    eventId: z.string().meta({ description: 'The `webhook-id`, the same for each try.' }),
    type: z.string(),
    timestamp: z.iso.datetime().meta({ description: 'When it happened.' }),
    status: z.enum(deliveryStatuses).meta({
      description: '`waiting`: another try follows. `failed`: none does.',
    }),
    tries: z.int().nonnegative(),
    maxTries: z.int().positive(),
    lastTry: Try.nullable().meta({ description: '`null`: there was none.' }),
    nextTryAt: z.iso.datetime().nullable().meta({
      description: 'The earliest time of the next try, if it is `waiting`.',
    }),
  })
  .meta({ id: 'WebhookDelivery', examples: [exampleDelivery] });

export const DeliveryPage = Paginated(Delivery).meta({
  id: 'WebhookDeliveryPage',
  examples: [examplePage(exampleDelivery)],
});

export const DeliveryDetail = Success(
  Delivery.extend({
    request: z.string().meta({ description: 'The body that is sent.' }),
    answer: z.string().nullable().meta({
      description: 'The first KB of the last answer, as text. `null`: it was empty.',
    }),
  }),
).meta({
  id: 'WebhookDeliveryDetail',
  examples: [
    {
      success: true,
      data: {
        ...exampleDelivery,
        request: `{"type":"share.opened","timestamp":"${at}","data":{"share":{"id":"Qm4xT9aKz1"}}}`,
        answer: null,
      },
    },
  ],
});

export const RedeliveryStarted = Success(
  z.object({
    started: z.literal(true).meta({ description: 'Whether a job sends them.' }),
  }),
).meta({
  id: 'RedeliveryStarted',
  examples: [{ success: true, data: { started: true }, message: 'They follow within a minute.' }],
});

export const EventTypeList = Success(
  z.array(
    z.object({
      type: z.string(),
      label: z.string().meta({ description: 'What it is called on pages.' }),
      description: z.string(),
      group: z.string().meta({ description: '`own`, or the kind of subject in the audit log.' }),
    }),
  ),
).meta({
  id: 'WebhookEventTypes',
  examples: [
    {
      success: true,
      data: [
        {
          type: 'message.received',
          label: 'Message received',
          description: 'Someone sends you a message.',
          group: 'own',
        },
      ],
    },
  ],
});

const showTry = (tried: StoredTry | undefined): z.output<typeof Try> | null =>
  tried
    ? {
        at: tried.at,
        delivered: tried.isDelivered,
        httpStatus: tried.httpStatus ?? null,
        reason: tried.reason ?? null,
        ms: tried.ms,
      }
    : null;

/** Converts a webhook for API responses. */
export const toWebhook = (webhook: StoredWebhook): z.output<typeof Webhook> => {
  const { failures = 0, failingSince = null } = webhook;
  return {
    id: webhook.id,
    url: webhook.url,
    label: webhook.label ?? null,
    events: [...webhook.events],
    format: webhook.format,
    status: isActive(webhook) ? (failures > 0 ? 'failing' : 'working') : 'paused',
    active: isActive(webhook),
    pausedBy: webhook.pausedBy ?? null,
    failures,
    failingSince,
    lastDelivery: showTry(webhook.lastTry),
    createdAt: webhook.createdAt,
    updatedAt: webhook.updatedAt,
    version: webhook.version,
  };
};

/** Converts a delivery for API responses. */
export const toDelivery = ({
  id,
  event,
  status,
  tries,
  lastTry,
  dueAt,
}: StoredDelivery): z.output<typeof Delivery> => ({
  id,
  eventId: event.id,
  type: event.type,
  timestamp: event.timestamp,
  status,
  tries,
  maxTries,
  lastTry: showTry(lastTry),
  nextTryAt: dueAt === undefined ? null : new Date(Number(dueAt)).toISOString(),
});

/** Converts a delivery with what was sent and answered for API responses. */
export const toDeliveryDetail = ({ webhook, delivery }: FoundDelivery) => ({
  ...toDelivery(delivery),
  request: toBody(delivery.event, webhook.format),
  answer: delivery.answer ?? null,
});
