// Who opened a share that isn't open to all, by reader (decisions.md#receipts).
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { queryItems, startAt } from '../../../../shared/db/query.ts';
import { deleteItemWrite, transact, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { serializeError } from '../../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../../shared/runtime/telemetry.ts';
import { deleteReceiptsJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import type { StoredShare } from '../record/share.ts';
import { createViewId } from '../record/view-ids.ts';

/** How often a user opened a share. */
export interface StoredReceipt {
  readonly userId: number;
  readonly times: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

const parseReceipt = itemParser<StoredReceipt>('receipt', ['userId', 'times', 'firstAt', 'lastAt']);

/** The reader waits for it, so that a function isn't stopped before. */
const timeoutMs = 1_000;

/** How many readers of a share are listed. */
export const maxListedReceipts = 1_000;

/**
 * Records that a user opened a share which isn't open to all. A repeated view, known by its id, counts once. Never throws: the
 * view was granted.
 */
export const recordReceipt = async (
  { id, ownerId, audience }: StoredShare,
  userId: number | undefined,
  viewId = createViewId(),
): Promise<void> => {
  if (audience === undefined || userId === undefined || userId === ownerId) return;
  const update = {
    Key: shareKeys.receipt.at({ id, userId }),
    UpdateExpression:
      'SET #times = if_not_exists(#times, :none) + :one, firstAt = if_not_exists(firstAt, :now), lastAt = :now, userId = :userId, viewId = :viewId',
    ConditionExpression: 'attribute_not_exists(viewId) OR viewId <> :viewId',
    ExpressionAttributeNames: { '#times': 'times' },
    ExpressionAttributeValues: {
      ...{ ':none': 0, ':one': 1, ':now': new Date().toISOString() },
      ...{ ':userId': userId, ':viewId': viewId },
    },
  };
  try {
    await conditionalUpdate(update, { timeoutMs });
  } catch (error) {
    getLogger().warn('Receipt lost', { error: serializeError(error) });
  }
};

const inShare = (id: string) => startAt(shareKeys.receipt.prefix({ id }));

/** Lists who opened a share, in no order: at most 1,000. */
export const loadReceipts = async (id: string): Promise<readonly StoredReceipt[]> =>
  (await queryItems(inShare(id), maxListedReceipts, undefined)).map(parseReceipt);

/** How many receipts are deleted at once. A transaction has at most 100 writes. */
const maxDeleted = 100;

/** Creates the write that leads to the deletion of a share's receipts, for the transaction that deletes it. */
export const deleteReceiptsWrite = ({ id, hasReceipts }: StoredShare): Write | undefined =>
  hasReceipts && enqueueWrite(deleteReceiptsJob, { id });

/** Deletes the receipts of a share that was deleted. Safe to repeat. */
export const deleteReceipts = async (id: string): Promise<void> => {
  for (;;) {
    const items = await queryItems(inShare(id), maxDeleted, undefined);
    if (items.length > 0)
      await transact(items.map(({ pk, sk }) => deleteItemWrite({ pk, sk } as Key)));
    if (items.length < maxDeleted) return;
  }
};
