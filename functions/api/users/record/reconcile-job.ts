import type { Key } from '../../../../shared/db/key.ts';
import { deleteItemWrite, transact, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { userReconciliation } from './jobs.ts';

/** The work of bringing a user's records in line with the user's status. */
export interface Reconciliation {
  readonly userId: number;
  /** The id of the user who gets a removed user's records. */
  readonly transferTo?: number | undefined;
  /** When the user was removed (ms since 1970). */
  readonly removedAt?: number | undefined;
  /** The sort key in the list of the user's shares after which to continue. */
  readonly sharesAfter?: string | undefined;
}

/**
 * The request that changed the user has usually finished the work by then. It is longer than any request of the user can
 * run.
 */
export const reconcileAfterSeconds = 60;

/** Creates the write that schedules the reconciliation, in case this request fails. */
export const scheduleReconciliation = (reconciliation: Reconciliation): Write =>
  enqueueWrite(userReconciliation, { ...reconciliation }, { delaySeconds: reconcileAfterSeconds });

/** Replaces the job that `scheduleReconciliation` scheduled by one for the remaining work, if any. */
export const replaceReconciliation = async (
  scheduled: Write,
  remaining: Reconciliation | undefined,
): Promise<void> => {
  await transact({
    scheduled: deleteItemWrite(scheduled.Put?.Item as unknown as Key),
    remaining: remaining && enqueueWrite(userReconciliation, { ...remaining }),
  });
};
