import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { countItems } from '../../../shared/db/query.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { enqueueOrThrow } from '../../../shared/jobs/queue.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPage,
} from '../../../shared/lists/pagination.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createEventId, testEvent } from '../../../shared/webhooks/events.ts';
import { webhookDelivery, webhookRedelivery } from '../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../shared/webhooks/keys.ts';
import { againSteps, deliveriesQuery, isOnItsWay } from './record/again.ts';
import { createDelivery, parseDelivery, type StoredDelivery } from './record/delivery.ts';
import { getHost, isActive, type StoredWebhook } from './record/webhook.ts';
import { assertOn, get } from './webhooks.ts';

const deliveryNotFound = () => new AppError('NOT_FOUND', 'Delivery not found.');

const pausedError = () => new AppError('CONFLICT', 'The webhook is paused. Resume it first.');

const waitingError = () => new AppError('CONFLICT', 'The delivery is on its way already.');

/**
 * Lists the deliveries of a user's webhook, the newest first, of which up to 1,000 are counted.
 * @throws AppError NOT_FOUND; VALIDATION_ERROR about `cursor` or `page`
 */
export const list = async (
  userId: number,
  id: number,
  request: PageRequest,
): Promise<ListResult<StoredDelivery>> => {
  const query = deliveriesQuery(id);
  const [, page, count] = await Promise.all([
    get(userId, id),
    readPage(query, request, `webhook-deliveries#${userId}#${id}`),
    countItems(query, maxCountedMatches + 1),
  ]);
  return {
    ...page,
    items: page.items.map(parseDelivery),
    total: Math.min(count, maxCountedMatches),
    totalIsExact: count <= maxCountedMatches,
  };
};

/** A delivery and its webhook. */
export interface FoundDelivery {
  readonly webhook: StoredWebhook;
  readonly delivery: StoredDelivery;
}

/**
 * Reads a delivery of a user's webhook.
 * @throws AppError NOT_FOUND
 */
export const find = async (
  userId: number,
  id: number,
  deliveryId: string,
): Promise<FoundDelivery> => {
  const [webhook, [item]] = await Promise.all([
    get(userId, id),
    batchGet([webhookKeys.delivery.at({ hookId: id, id: deliveryId })]),
  ]);
  const delivery = parseDelivery(item);
  if (!delivery) throw deliveryNotFound();
  return { webhook, delivery };
};

const assertActive = (webhook: StoredWebhook): void => {
  assertOn();
  if (!isActive(webhook)) throw pausedError();
};

const subjectOf = (webhook: StoredWebhook) => ({
  subject: `webhook:${webhook.id}`,
  subjectName: webhook.label ?? getHost(webhook),
});

/**
 * Delivers again what was delivered or has failed, with the same `webhook-id`.
 * @throws AppError NOT_FOUND; CONFLICT if the webhook is paused, or the delivery on its way
 */
export const redeliver = async (
  userId: number,
  id: number,
  deliveryId: string,
  recorder: ChangeRecorder,
): Promise<FoundDelivery> => {
  const { webhook, delivery } = await find(userId, id, deliveryId);
  assertActive(webhook);
  if (isOnItsWay(delivery)) throw waitingError();
  const refused = await transact([
    ...againSteps(delivery),
    ...recorder.steps({ ...subjectOf(webhook), after: { delivery: deliveryId } }),
  ]);
  if (refused) throw waitingError();
  await enqueueOrThrow(webhookDelivery, { userId, hookId: id });
  return find(userId, id, deliveryId);
};

/**
 * Delivers all again that has failed, by a job that starts within a minute.
 * @throws AppError NOT_FOUND; CONFLICT if the webhook is paused
 */
export const redeliverFailed = async (
  userId: number,
  id: number,
  recorder: ChangeRecorder,
): Promise<void> => {
  const webhook = await get(userId, id);
  assertActive(webhook);
  await transact([
    enqueueWrite(webhookRedelivery, { userId, hookId: id }),
    ...recorder.steps({ ...subjectOf(webhook), after: { delivery: 'all failed' } }),
  ]);
};

/**
 * Sends an event that means nothing, as others are sent.
 * @throws AppError NOT_FOUND; CONFLICT if the webhook is paused
 */
export const sendTest = async (
  userId: number,
  id: number,
  recorder: ChangeRecorder,
): Promise<FoundDelivery> => {
  const webhook = await get(userId, id);
  assertActive(webhook);
  const { delivery, record, due } = createDelivery(id, {
    id: createEventId(),
    type: testEvent,
    timestamp: new Date().toISOString(),
    data: { label: webhook.label ?? getHost(webhook) },
  });
  await transact([
    record,
    due,
    ...recorder.steps({ ...subjectOf(webhook), after: { delivery: delivery.id } }),
  ]);
  await enqueueOrThrow(webhookDelivery, { userId, hookId: id });
  return { webhook, delivery };
};
