import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { updateFields } from '../../../../shared/db/field-update.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { createItemWrite, deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';

/** Creates the writes that move the marker of a unique key, if it changes. */
export const uniqueKeyWrites = (before: Key, after: Key, userId: number) =>
  before.pk === after.pk
    ? {}
    : { free: deleteItemWrite(before), take: createItemWrite(after, { userId }) };

/** Fields that a change never writes. */
const fixedFields: readonly string[] = ['pk', 'sk', 'id'];

/** Creates the write that updates the changed fields of a user, if the user is still the expected version. */
export const updateUserWrite = (expected: StoredUser, changed: StoredUser): Write => {
  const before: Record<string, unknown> = { ...expected };
  const after: Record<string, unknown> = { ...changed };
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) =>
      !fixedFields.includes(field) &&
      JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  );
  // Signing out everywhere and second factors advance an epoch but not the version, so a change of either checks both.
  const changesEpoch =
    changed.sessionEpoch !== expected.sessionEpoch || changed.factorEpoch !== expected.factorEpoch;
  const { factorEpoch } = expected;
  const factorsUnchanged =
    factorEpoch === undefined
      ? 'attribute_not_exists(#factorEpoch)'
      : '#factorEpoch = :expectedFactors';
  return updateFields(
    userKeys.record.at({ id: changed.id }),
    Object.fromEntries(fields.map((field) => [field, after[field]])),
    {
      expression: `attribute_exists(pk) AND #version = :expected${changesEpoch ? ` AND #sessionEpoch = :expectedEpoch AND ${factorsUnchanged}` : ''}`,
      names: {
        '#version': 'version',
        ...(changesEpoch && { '#sessionEpoch': 'sessionEpoch', '#factorEpoch': 'factorEpoch' }),
      },
      values: {
        ':expected': expected.version,
        ...(changesEpoch && {
          ':expectedEpoch': expected.sessionEpoch,
          ...(factorEpoch !== undefined && { ':expectedFactors': factorEpoch }),
        }),
      },
    },
  );
};
