import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { createItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import type { WebhookEvent } from '../../../../shared/webhooks/events.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import type { StoredTry } from './webhook.ts';

/** The most tries of a delivery, unless its owner asks for more. */
export const maxTries = 5;

/** How long a delivery is kept (ms). */
export const keptMs = 30 * 86_400_000;

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const;

/** The delivery of an event to a webhook as stored, without keys. */
export interface StoredDelivery {
  /** Begins with the time of the event (ms since 1970), so that ids are in their order. */
  readonly id: string;
  readonly hookId: number;
  readonly event: WebhookEvent;
  readonly status: (typeof deliveryStatuses)[number];
  /** How often it was begun to send, since its owner last asked for it. */
  readonly tries: number;
  /** When its next try is due: the `at` of its entry in the list of what is due. Absent unless it is waiting. */
  readonly dueAt?: string;
  /** The try that runs, and until when it can (ms since 1970). */
  readonly token?: string;
  readonly claimedUntil?: number;
  readonly lastTry?: StoredTry;
  /** The start of the last answer, as text. */
  readonly answer?: string;
  readonly createdAt: string;
  /** Seconds since 1970, for the table's TTL. */
  readonly ttl: number;
}

export const parseDelivery = itemParser<StoredDelivery>('delivery', [
  'id',
  'hookId',
  'event',
  'status',
  'tries',
]);

/** Returns the id of the delivery of an event, which is the same however often a job makes it. */
export const toDeliveryId = ({ timestamp, id }: Pick<WebhookEvent, 'timestamp' | 'id'>): string =>
  `${Date.parse(timestamp)}-${id}`;

/** Returns a time as ids and the list of what is due have it. Texts of it sort as the times do. */
export const toDueTime = (ms: number): string => String(ms).padStart(13, '0');

/** What is due of a webhook: a pointer to a delivery. */
export interface Due extends Key {
  readonly id: string;
  readonly at: string;
  /** The type of its event. */
  readonly type: string;
}

export const parseDue = itemParser<Due>('due delivery', ['pk', 'sk', 'id', 'at', 'type']);

/** Creates the write of the entry that makes a delivery due. */
export const dueWrite = (
  hookId: number,
  { id, event: { type }, ttl }: Pick<StoredDelivery, 'id' | 'event' | 'ttl'>,
  dueAt: string,
): Write =>
  createItemWrite(webhookKeys.due.at({ hookId, at: dueAt, id }), { id, at: dueAt, type, ttl });

/** Creates the delivery of an event that is due now, and its two writes. */
export const createDelivery = (hookId: number, event: WebhookEvent) => {
  const now = Date.now();
  const dueAt = toDueTime(now);
  const delivery: StoredDelivery = {
    id: toDeliveryId(event),
    hookId,
    event,
    status: 'waiting',
    tries: 0,
    dueAt,
    createdAt: new Date(now).toISOString(),
    ttl: Math.ceil((now + keptMs) / 1_000),
  };
  const key = webhookKeys.delivery.at({ hookId, id: delivery.id });
  return {
    delivery,
    record: createItemWrite(key, delivery),
    due: dueWrite(hookId, delivery, dueAt),
  };
};
