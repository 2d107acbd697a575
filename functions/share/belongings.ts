import { batchGet, tableName } from '../../shared/dynamodb.ts';
import { AppError } from '../../shared/errors.ts';
import { isVersion, updateFields } from '../../shared/field-update.ts';
import { readMatches } from '../../shared/page.ts';
import { keys } from '../../shared/table.ts';
import { removeItem, transact, type Write } from '../../shared/transaction.ts';
import { suspendShare } from './gate.ts';
import { moveOwnCount, putOwn } from './own-list.ts';
import { find } from './reading.ts';
import { removeShare } from './removal.ts';

const atOnce = 25;

/** How the work on a user's shares is bounded; `deadline` is in ms since 1970. */
interface Bound {
  readonly deadline: number;
}

const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
};

/** Calls `work` with a user's shares, 25 at a time, the oldest first. Says whether it got to the end in time. */
const forOwn = async (
  ownerId: number,
  work: (shareIds: readonly string[]) => Promise<void>,
  { deadline }: Bound,
): Promise<boolean> => {
  const { pk, sk: prefix } = keys.ownShares(ownerId);
  let after = prefix;
  while (Date.now() < deadline) {
    const { items, isWhole } = await readMatches(
      {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :end',
        ExpressionAttributeValues: { ':pk': pk, ':after': `${after} `, ':end': `${prefix}~` },
        ConsistentRead: true,
      },
      { matches: atOnce, scanned: atOnce },
    );
    await work(items.map(({ id }) => id as string));
    if (isWhole) return true;
    after = items.at(-1)?.['sk'] as string;
  }
  return false;
};

const maxTries = 4;

const isStill = (userId: number, status: string): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keys.user(userId),
    ConditionExpression: 'attribute_exists(pk) AND #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status },
  },
});

/** Hands a share over, closed or open as the receiver's are. One who is removed by now owns nothing: it is removed too. */
const handOverShare = async (id: string, to: number): Promise<void> => {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const [{ share }, [receiver]] = await Promise.all([find(id), batchGet([keys.user(to)])]);
    const { ownerId, createdAt, version } = share;
    if (ownerId === to) return;
    if (!receiver) return removeShare(id, () => undefined);
    const status = receiver['status'] as string;
    const failed = await transact({
      receiver: isStill(to, status),
      share: updateFields(
        keys.share(id),
        { ownerId: to, version: version + 1 },
        isVersion(version),
      ),
      gate: updateFields(
        keys.shareViews(id),
        { ownerSuspended: status === 'suspended' || undefined },
        { expression: 'attribute_exists(pk)' },
      ),
      before: removeItem(keys.ownShare(ownerId, createdAt, id)),
      after: putOwn({ ...share, ownerId: to }),
      countBefore: moveOwnCount(ownerId, -1),
      countAfter: moveOwnCount(to, 1),
    });
    if (!failed) return;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The share keeps changing: try again');
};

/** Removes a user's shares, or hands them to another user. Says whether all are done. */
export const clearShares = (
  ownerId: number,
  { to, deadline }: Bound & { readonly to?: number | undefined },
): Promise<boolean> =>
  forOwn(
    ownerId,
    // One after another, because they all move the same count.
    async (ids) => {
      for (const id of ids) {
        const clearing =
          to === undefined ? removeShare(id, () => undefined) : handOverShare(id, to);
        await clearing.catch(ignoreMissing);
      }
    },
    { deadline },
  );

/** Closes the shares of a user who is suspended to readers, or opens them again. Says whether all are done. */
export const suspendShares = (
  ownerId: number,
  isSuspended: boolean,
  bound: Bound,
): Promise<boolean> =>
  forOwn(
    ownerId,
    async (ids) => {
      await Promise.all(ids.map((id) => suspendShare(id, isSuspended)));
    },
    bound,
  );
