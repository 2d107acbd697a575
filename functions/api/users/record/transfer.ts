import { userKeys } from '../../../../shared/auth/keys.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import type { Receiver } from '../../../../shared/users/owned-records.ts';
import { accountKeys } from './keys.ts';

/** Longer than a job can wait in the outbox, the queue and the dead-letter queue together. */
const transferSeconds = 30 * 86_400;

/**
 * Creates the write that stores the receiver of a removed user's records. Records still being transferred to the removed
 * user go to the same receiver.
 */
export const transferWrite = (from: number, to: number): Write => ({
  Put: {
    TableName: tableName(),
    Item: {
      ...accountKeys.transfer.at({ userId: from }),
      transferTo: to,
      ttl: Math.ceil(Date.now() / 1_000) + transferSeconds,
    },
  },
});

/** Creates the check that the receiver of a transfer is an active user. */
export const receiverActiveCheck = (to: number): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: userKeys.record.at({ id: to }),
    ConditionExpression:
      'attribute_exists(pk) AND #status = :active AND attribute_not_exists(deletesAt)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':active': 'active' },
  },
});

/** How many receivers can be removed during one transfer. */
const maxFormer = 100;

/**
 * Finds the receiver of a transfer, following the transfers of removed receivers. A receiver who has been suspended since
 * still gets the records.
 * @throws Error after 100 removed receivers
 */
export const findReceiver = async (transferTo: number | undefined): Promise<Receiver> => {
  const former: number[] = [];
  let to = transferTo;
  while (to !== undefined && former.length < maxFormer) {
    const [user, transfer] = await batchGet([
      userKeys.record.at({ id: to }),
      accountKeys.transfer.at({ userId: to }),
    ]);
    if (user) return { to, former };
    former.push(to);
    to = transfer?.['transferTo'] as number | undefined;
  }
  if (to !== undefined) throw new Error('A transfer has too many removed receivers');
  return { to, former };
};
