import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import type { Receiver } from '../../../../shared/users/owned-records.ts';

/** Longer than a job waits in the table and the queue and among the dead letters together. */
const transferSeconds = 30 * 86_400;

/**
 * The write that remembers who gets what a removed user owned: what is still on its way to that user from another removed
 * one goes on to the same receiver.
 */
export const transferWrite = (from: number, to: number): Write => ({
  Put: {
    TableName: tableName(),
    Item: {
      ...keys.userTransfer(from),
      transferTo: to,
      ttl: Math.ceil(Date.now() / 1_000) + transferSeconds,
    },
  },
});

/** The check that the receiver of a transfer is an active user when the former owner is removed. */
export const receiverActiveCheck = (to: number): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keys.user(to),
    ConditionExpression: 'attribute_exists(pk) AND #status = :active',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':active': 'active' },
  },
});

/** Each is the removal of another user, within the time that one transfer takes. */
const maxFormer = 100;

/**
 * Follows a transfer to a user who exists. Whatever the status: a receiver who is suspended by now owns it all the same.
 * @throws Error past 100 removed receivers
 */
export const findReceiver = async (transferTo: number | undefined): Promise<Receiver> => {
  const former: number[] = [];
  let to = transferTo;
  while (to !== undefined && former.length < maxFormer) {
    const [user, transfer] = await batchGet([keys.user(to), keys.userTransfer(to)]);
    if (user) return { to, former };
    former.push(to);
    to = transfer?.['transferTo'] as number | undefined;
  }
  if (to !== undefined) throw new Error('A transfer has too many removed receivers');
  return { to, former };
};
