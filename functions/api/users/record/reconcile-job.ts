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
  /** The part of a removed user's data to delete, if not all. */
  readonly part?: number | undefined;
  /** The sort key in the list of the user's shares after which to continue. */
  readonly sharesAfter?: string | undefined;
}

/**
 * The request that changed the user has usually finished the work by then. It is longer than any request of the user can
 * run.
 */
export const reconcileAfterSeconds = 60;

/** A reconciliation and the write that schedules its job. */
export interface ScheduledReconciliation {
  readonly reconciliation: Reconciliation;
  readonly write: Write;
}

/** Schedules a reconciliation, in case this request fails to finish it. */
export const scheduleReconciliation = (
  reconciliation: Reconciliation,
): ScheduledReconciliation => ({
  reconciliation,
  write: enqueueWrite(
    userReconciliation,
    { ...reconciliation },
    { delaySeconds: reconcileAfterSeconds },
  ),
});

/** Replaces the scheduled job by one for the remaining work, if any. */
export const replaceReconciliation = async (
  { write }: ScheduledReconciliation,
  remaining: Reconciliation | undefined,
): Promise<void> => {
  await transact([
    deleteItemWrite({ pk: write.Put?.Item?.['pk'], sk: write.Put?.Item?.['sk'] }),
    remaining && enqueueWrite(userReconciliation, { ...remaining }),
  ]);
};
