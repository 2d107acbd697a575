import { AppError } from '../runtime/errors.ts';

/** How long an account waits before it is deleted, in ms (decisions.md#leaving). */
export const leavingMs = 7 * 86_400_000;

/** Creates the error for a user whose account waits to be deleted. */
export const deletionPending = (): AppError =>
  new AppError(
    'DELETION_PENDING',
    'This account waits to be deleted. Keep it first, at /leaving or by `POST /api/users/me/restore`.',
  );
