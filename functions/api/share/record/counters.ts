import { userKeys } from '../../../../shared/auth/keys.ts';
import {
  type Count,
  type Counted,
  count,
  defineCounter,
  type Guard,
  readCounter,
} from '../../../../shared/counters/counter.ts';
import { inTotal, totals } from '../../../../shared/counters/total.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Step } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { usage } from '../../../../shared/storage/usage.ts';
import { shareKeys } from './keys.ts';
import type { StoredFiles, StoredShare, Submitter } from './share.ts';

const ofOwner = defineCounter({
  family: shareKeys.ownCount,
  describe: ({ ownerId }) => `shares of user ${ownerId}`,
  owner: ({ ownerId }) => userKeys.record.at({ id: ownerId }),
});

/** Set in the counter of a suspended user. Here it costs no condition on an item that the transaction doesn’t write. */
const isSuspendedMark = 'suspended';

/** Refuses to count a new share of a user who was suspended concurrently, whose other shares are suspended already. */
export const refuseSuspended = ({ counter }: Count): Guard | undefined =>
  counter === ofOwner
    ? {
        condition: `attribute_not_exists(${isSuspendedMark})`,
        refused: () => new AppError('UNAUTHORIZED', 'The account is no longer active.'),
      }
    : undefined;

/**
 * Creates the steps that keep a user from getting new shares, or let the user get them again. They are refused if the user’s
 * status is another one by now.
 */
export const markSuspended = (
  ownerId: number,
  isSuspended: boolean,
): readonly Step<'changed'>[] => [
  {
    write: {
      ConditionCheck: {
        TableName: tableName(),
        Key: userKeys.record.at({ id: ownerId }),
        ConditionExpression: `attribute_exists(pk) AND ${isSuspended ? '(#status = :suspended OR attribute_exists(deletesAt))' : '#status <> :suspended AND attribute_not_exists(deletesAt)'}`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':suspended': 'suspended' },
      },
    },
    refused: 'changed',
  },
  {
    write: {
      Update: {
        TableName: tableName(),
        Key: shareKeys.ownCount.at({ ownerId }),
        UpdateExpression: isSuspended
          ? `SET ${isSuspendedMark} = :true`
          : `REMOVE ${isSuspendedMark}`,
        ...(isSuspended && { ExpressionAttributeValues: { ':true': true } }),
      },
    },
  },
];

/** Returns what the files of a share take of its owner's storage, in bytes. */
const countFileBytes = ({ bytes, formerBytes = 0 }: StoredFiles): number => bytes + formerBytes;

/** Lists what a share adds to counters. */
export const getCounts = ({
  ownerId,
  from,
  files,
}: Pick<StoredShare, 'ownerId'> & {
  readonly from?: Submitter | undefined;
  readonly files?: StoredFiles | undefined;
}): Count[] => [
  count(ofOwner, { ownerId }, { shares: 1 }),
  inTotal('shares'),
  ...(from?.bytes === undefined
    ? []
    : [count(usage, { userId: ownerId }, { used: from.bytes, submitted: from.bytes })]),
  ...(files ? [count(usage, { userId: ownerId }, { used: countFileBytes(files) })] : []),
];

/** Lists what an upload adds to counters: its bytes are reserved until it ends. */
export const getUploadCounts = ({
  ownerId,
  bytes,
}: {
  readonly ownerId: number;
  readonly bytes: number;
}): Count[] => [count(usage, { userId: ownerId }, { used: bytes, uploads: 1 })];

export const counted: readonly Counted[] = [
  { record: shareKeys.record, counters: [totals, ofOwner, usage], of: getCounts },
  { record: shareKeys.upload, counters: [usage], of: getUploadCounts },
];

/** Counts a user's shares. */
export const countOwn = async (ownerId: number): Promise<number> =>
  (await readCounter(ofOwner, { ownerId }))['shares'] ?? 0;
