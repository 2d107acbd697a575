import type { StoredUser } from '../../../../shared/auth/user.ts';
import { updateFields } from '../../../../shared/db/field-update.ts';
import { type Key, keys } from '../../../../shared/db/table.ts';
import { createItemWrite, deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';

/** The writes that move a marker from one name to another, where they differ. */
export const uniqueKeyWrites = (before: Key, after: Key, userId: number) =>
  before.pk === after.pk
    ? {}
    : { free: deleteItemWrite(before), take: createItemWrite(after, { userId }) };

/** Where a user is stored, and who it is: never part of a change. */
const fixed: readonly string[] = ['pk', 'sk', 'id'];

/** The write of a changed user, if it is still as it was seen; it keeps what other writers own. */
export const updateUserWrite = (seen: StoredUser, changed: StoredUser): Write => {
  const before: Record<string, unknown> = { ...seen };
  const after: Record<string, unknown> = { ...changed };
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) =>
      !fixed.includes(field) && JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  );
  // Signing out everywhere moves the epoch and not the version: neither may undo the other.
  const movesEpoch = changed.sessionEpoch !== seen.sessionEpoch;
  return updateFields(
    keys.user(changed.id),
    Object.fromEntries(fields.map((field) => [field, after[field]])),
    {
      expression: `attribute_exists(pk) AND #version = :seen${movesEpoch ? ' AND #sessionEpoch = :seenEpoch' : ''}`,
      names: { '#version': 'version' },
      values: { ':seen': seen.version, ...(movesEpoch && { ':seenEpoch': seen.sessionEpoch }) },
    },
  );
};
