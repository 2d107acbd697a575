import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { accountDeletedEmail } from './jobs.ts';
import { removeUser } from './users.ts';

/** An account that its owner has kept since its deletion was found due. */
class Kept extends Error {
  override readonly name = 'Kept';
}

const assertDue = ({ deletesAt }: StoredUser): void => {
  if (deletesAt === undefined || Date.parse(deletesAt) > Date.now()) throw new Kept();
};

/** Creates the write that tells the owner that the account is deleted, whose address is unknown afterwards. */
const farewellWrite = ({ email, name, emailProblem }: StoredUser): Write | undefined =>
  isMailOn() && !emailProblem ? enqueueWrite(accountDeletedEmail, { email, name }) : undefined;

/**
 * Deletes an account that has waited for it long enough, unless it was kept or is gone. The job that the deletion schedules
 * deletes what the user owned.
 */
export const removeLeft = async (id: number): Promise<void> => {
  try {
    await removeUser(id, assertDue, undefined, systemRecorder('user.delete'), (user) => [
      farewellWrite(user),
    ]);
  } catch (error) {
    const isGone = error instanceof AppError && error.code === 'NOT_FOUND';
    if (!isGone && !(error instanceof Kept)) throw error;
  }
};
