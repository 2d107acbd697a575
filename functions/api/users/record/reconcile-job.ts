import type { Key } from '../../../../shared/db/table.ts';
import { deleteItemWrite, transact, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { userReconciliation } from './jobs.ts';

/** Whose belongings are to be brought in line with what became of the user. */
export interface Reconciliation {
  readonly userId: number;
  /** Who gets what a removed user owned. */
  readonly transferTo?: number | undefined;
  /** When the user was removed (ms since 1970). */
  readonly removedAt?: number | undefined;
  /** The place in the list of the user's shares behind which there are some left. */
  readonly sharesAfter?: string | undefined;
}

/**
 * By then the request that changed the user has settled it, unless it broke off or there was too much. No other request
 * that the user had under way takes longer.
 */
export const reconcileAfterSeconds = 60;

/** The write that has what the user owns brought in line, whatever becomes of this request. */
export const scheduleReconciliation = (reconciliation: Reconciliation): Write =>
  enqueueWrite(userReconciliation, { ...reconciliation }, { delaySeconds: reconcileAfterSeconds });

/** Has the job that `scheduleReconciliation` has left do what is left of it, or nothing any more. */
export const replaceReconciliation = async (
  left: Write,
  rest: Reconciliation | undefined,
): Promise<void> => {
  await transact({
    left: deleteItemWrite(left.Put?.Item as unknown as Key),
    rest: rest && enqueueWrite(userReconciliation, { ...rest }),
  });
};
