import { updateFields } from '../../../../shared/db/field-update.ts';
import type { ListQuery } from '../../../../shared/db/query.ts';
import { deleteItemWrite, type Step } from '../../../../shared/db/transaction.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import { dueWrite, keptMs, type StoredDelivery, toDueTime } from './delivery.ts';

/** Creates the query of the deliveries of a webhook, the newest first, without what the table has yet to delete. */
export const deliveriesQuery = (hookId: number): ListQuery => {
  const { pk, sk } = webhookKeys.delivery.prefix({ hookId });
  return {
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    // Not by the key, which has the time of the event: that can be long past when it is told.
    FilterExpression: 'createdAt > :made',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':from': sk,
      ':to': `${sk}:`,
      ':made': new Date(Date.now() - keptMs).toISOString(),
    },
    ScanIndexForward: false,
  };
};

/** How long after its time a try that was never begun counts as forgotten (ms). */
const forgottenMs = 3_600_000;

/** Returns whether a delivery is on its way: its next try is to come, or was to not long ago. */
export const isOnItsWay = ({ dueAt }: StoredDelivery): boolean =>
  dueAt !== undefined && Number(dueAt) + forgottenMs > Date.now();

/** Creates the steps that make a delivery due again, with all its tries. They are refused as `waiting` while it is on its way. */
export const againSteps = (delivery: StoredDelivery): readonly Step<'waiting'>[] => {
  const { id, hookId, status, dueAt: former } = delivery;
  const dueAt = toDueTime(Date.now());
  return [
    {
      write: updateFields(
        webhookKeys.delivery.at({ hookId, id }),
        { status: 'waiting', tries: 0, dueAt },
        {
          expression: `#status = :seenStatus AND ${former === undefined ? 'attribute_not_exists(dueAt)' : '#dueAt = :former AND (attribute_not_exists(claimedUntil) OR claimedUntil <= :now)'}`,
          names: { '#status': 'status', ...(former !== undefined && { '#dueAt': 'dueAt' }) },
          values: {
            ':seenStatus': status,
            ...(former !== undefined && { ':former': former, ':now': Date.now() }),
          },
        },
      ),
      refused: 'waiting',
    },
    { write: dueWrite(hookId, delivery, dueAt) },
    {
      write:
        former === undefined
          ? undefined
          : deleteItemWrite(webhookKeys.due.at({ hookId, at: former, id })),
    },
  ];
};
