import { conditionalDelete, conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { updateFields } from '../../../../shared/db/field-update.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { type Step, transact } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { webhookDelivery } from '../../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import {
  type Due,
  dueWrite,
  maxTries,
  parseDelivery,
  type StoredDelivery,
  toDueTime,
} from '../record/delivery.ts';
import type { StoredTry, StoredWebhook } from '../record/webhook.ts';
import { type Outcome, send } from './send.ts';

/** How long a try can run (ms), its writes included: then it counts as failed. */
const claimMs = 30_000;

const minuteMs = 60_000;

/** The pauses after each failed try (ms): five tries within six hours. */
export const pausesMs = [minuteMs, 10 * minuteMs, 60 * minuteMs, 285 * minuteMs] as const;

const dropDue = async ({ pk, sk }: Due): Promise<void> => {
  await conditionalDelete({ Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' });
};

/**
 * Begins a try in one conditional write: at most one runs at once, and no more than five are begun. Returns the delivery as
 * `mine` then, and else what is stored.
 */
const begin = async (
  hookId: number,
  { id, at }: Due,
): Promise<{ readonly mine?: StoredDelivery; readonly found?: StoredDelivery | undefined }> => {
  const token = createRandomId();
  const now = Date.now();
  const { written, item } = await conditionalUpdate({
    Key: webhookKeys.delivery.at({ hookId, id }),
    UpdateExpression: 'SET #token = :token, claimedUntil = :until, tries = tries + :one',
    ConditionExpression:
      '#status = :waiting AND dueAt = :at AND tries < :max AND (attribute_not_exists(claimedUntil) OR claimedUntil <= :now)',
    ExpressionAttributeNames: { '#token': 'token', '#status': 'status' },
    ExpressionAttributeValues: {
      ':token': token,
      ':until': now + claimMs,
      ':one': 1,
      ':waiting': 'waiting',
      ':at': at,
      ':max': maxTries,
      ':now': now,
    },
  });
  const found = parseDelivery(item);
  // The response to this very write may have been lost.
  return found && (written || found.token === token) ? { mine: found } : { found };
};

/** Creates the steps that store what came of a try, and when the next one is. */
const settleSteps = (
  { id: hookId, userId }: StoredWebhook,
  delivery: StoredDelivery,
  due: Due,
  tried: StoredTry,
  answer: string | undefined,
): readonly Step<'changed'>[] => {
  const pause = tried.isDelivered ? undefined : pausesMs[delivery.tries - 1];
  const dueAt = pause === undefined ? undefined : toDueTime(Date.now() + pause);
  const status = tried.isDelivered ? 'delivered' : dueAt === undefined ? 'failed' : 'waiting';
  const fields = {
    status,
    dueAt,
    lastTry: tried,
    answer,
    token: undefined,
    claimedUntil: undefined,
  };
  const { id, token } = delivery;
  return [
    {
      write: updateFields(webhookKeys.delivery.at({ hookId, id }), fields, {
        expression: '#token = :mine',
        names: { '#token': 'token' },
        values: { ':mine': token },
      }),
      refused: 'changed',
    },
    { write: { Delete: { TableName: tableName(), Key: { pk: due.pk, sk: due.sk } } } },
    ...(dueAt === undefined || pause === undefined
      ? []
      : [
          { write: dueWrite(hookId, delivery, dueAt) },
          {
            write: enqueueWrite(
              webhookDelivery,
              { userId, hookId },
              { delaySeconds: pause / 1_000 },
            ),
          },
        ]),
  ];
};

/** A delivery whose last try was begun and not ended counts as tried: nobody knows what its host got. */
const endInterrupted = async (webhook: StoredWebhook, found: StoredDelivery, due: Due) => {
  const { claimedUntil = 0, tries, lastTry } = found;
  const tried: StoredTry = {
    at: lastTry?.at ?? new Date(claimedUntil - claimMs).toISOString(),
    isDelivered: false,
    reason: 'The last try was interrupted',
    ms: 0,
  };
  await transact(settleSteps(webhook, { ...found, tries }, due, tried, undefined));
};

/** Tries what is due once. Returns what came of it; `undefined` if there was nothing to try. */
export const attempt = async (webhook: StoredWebhook, due: Due): Promise<Outcome | undefined> => {
  const { mine, found } = await begin(webhook.id, due);
  if (!mine) {
    const isDue = found?.status === 'waiting' && found.dueAt === due.at;
    if (!isDue) await dropDue(due);
    else if ((found.claimedUntil ?? 0) <= Date.now()) await endInterrupted(webhook, found, due);
    return undefined;
  }
  const outcome = await send(webhook, mine);
  await transact(settleSteps(webhook, mine, due, outcome.tried, outcome.answer));
  return outcome;
};

/**
 * Gives up what is due without a try, as its webhook delivers nothing now. Returns whether it is done: a try that runs ends by
 * itself.
 */
export const giveUp = async (hookId: number, due: Due, reason: string): Promise<boolean> => {
  const now = Date.now();
  const tried: StoredTry = {
    at: new Date(now).toISOString(),
    isDelivered: false,
    reason,
    ms: 0,
  };
  const { Update } = updateFields(
    webhookKeys.delivery.at({ hookId, id: due.id }),
    { status: 'failed', dueAt: undefined, lastTry: tried },
    {
      expression: '#dueAt = :at AND (attribute_not_exists(claimedUntil) OR claimedUntil <= :now)',
      names: { '#dueAt': 'dueAt' },
      values: { ':at': due.at, ':now': now },
    },
  );
  const refused = await transact([
    {
      write: Update && {
        Update: { ...Update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const },
      },
      refused: 'other',
    },
    { write: { Delete: { TableName: tableName(), Key: { pk: due.pk, sk: due.sk } } } },
  ]);
  if (!refused) return true;
  if (refused.item?.['dueAt'] === due.at) return false;
  await dropDue(due);
  return true;
};
