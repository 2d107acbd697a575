import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { type Step, transact, type Write } from '../../../../shared/db/transaction.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { nothingPending } from '../../users/record/email-change.ts';
import type { SecurityAlert } from '../../users/record/jobs.ts';
import { alertWrite } from '../../users/record/security-alert.ts';
import {
  getMethods,
  getWithFactors,
  type StoredFactors,
  type WithFactors,
} from './stored-factors.ts';

/** What a change makes of the second factors. */
export interface FactorChange {
  readonly factors: Omit<StoredFactors, 'userId' | 'epoch' | 'version'>;
  /** What the audit log says. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  /** What the owner is told. */
  readonly alert?: SecurityAlert['event'];
  /** The name that it says. */
  readonly alertName?: string;
  /** Further writes of the same transaction, such as that of the session which is proven by it. */
  readonly steps?: readonly (Write | Step<'changed'>)[];
}

const retryOnConflict = createRetry('The account is being modified. Try again.');

/**
 * Creates the write that replaces second factors. A code that is used meanwhile must stay used. A record without any factor still has the epoch: nothing signed before holds again.
 */
export const storeWrite = (before: StoredFactors, after: StoredFactors): Write => ({
  Put: {
    TableName: tableName(),
    Item: { ...after, ...userKeys.factors.at({ userId: after.userId }) },
    ConditionExpression: 'attribute_not_exists(pk) OR version = :seen',
    ExpressionAttributeValues: { ':seen': before.version },
  },
});

/**
 * Changes a user's second factors in one transaction with what the user record says of them. `edit` gets both as stored, and
 * may throw; it is called again after a conflict. The epoch advances, which ends open second steps and trusted devices. The
 * last factor takes the recovery codes along, the first one an address that waits to be confirmed. It connects no accounts, but may
 * disconnect some.
 * @throws AppError NOT_FOUND; SERVICE_UNAVAILABLE after repeated conflicts
 */
export const changeFactors = (
  userId: number,
  edit: (found: WithFactors) => FactorChange | Promise<FactorChange>,
  recorder: ChangeRecorder,
): Promise<WithFactors> =>
  retryOnConflict(async () => {
    const found = await getWithFactors(userId);
    const change = await edit(found);
    const epoch = Math.max(found.factors.epoch, found.user.factorEpoch ?? 0) + 1;
    const { codes, ...kept } = change.factors;
    const methods = getMethods(kept);
    const hasAny = methods.length > 0;
    const factors = {
      ...kept,
      ...(hasAny && codes && { codes }),
      userId,
      epoch,
      version: found.factors.version + 1,
    };
    const isConnected = Object.keys(kept.identities ?? {}).length > 0;
    const removes = [
      ...(!isConnected && found.user.hasIdentity ? ['hasIdentity'] : []),
      ...(hasAny ? [] : ['secondFactors']),
      // Whoever entered it had only the password: it must not outlive the first factor.
      ...(hasAny && !found.user.secondFactors && found.user.pendingEmail !== undefined
        ? Object.keys(nothingPending)
        : []),
    ];
    const refused = await transact([
      {
        write: {
          Update: {
            TableName: tableName(),
            Key: userKeys.record.at({ id: userId }),
            UpdateExpression: `SET factorEpoch = :next${hasAny ? ', secondFactors = :methods' : ''}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
            ConditionExpression: `attribute_exists(pk) AND ${found.user.factorEpoch === undefined ? 'attribute_not_exists(factorEpoch)' : 'factorEpoch = :seen'}`,
            ExpressionAttributeValues: {
              ':next': epoch,
              ...(hasAny && { ':methods': methods }),
              ...(found.user.factorEpoch !== undefined && { ':seen': found.user.factorEpoch }),
            },
          },
        },
        refused: 'changed',
      },
      { write: storeWrite(found.factors, factors), refused: 'changed' },
      ...(change.steps ?? []),
      change.alert &&
        alertWrite(found.user, change.alert, change.alertName ? { token: change.alertName } : {}),
      ...recorder.steps({
        subject: `user:${userId}`,
        ...(change.before && { before: change.before }),
        ...(change.after && { after: change.after }),
      }),
    ]);
    if (refused) return undefined;
    const { secondFactors: _, hasIdentity: __, ...user } = found.user;
    return {
      user: {
        ...user,
        factorEpoch: epoch,
        ...(hasAny && { secondFactors: methods }),
        ...(isConnected && { hasIdentity: true as const }),
      },
      factors,
    };
  });
