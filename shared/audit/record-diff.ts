import { type AuditedChange, changedFields } from './audit-log.ts';

/** Returns the id of the record that an audit subject names. */
export const parseSubjectId = (subject: string): number => Number(subject.split(':')[1]);

/**
 * Returns the audit entry of a record that was created, changed or deleted: the named fields that differ between its
 * versions. `undefined`: it doesn't exist. `nameField` is the field with its name or title.
 */
export const diffRecord = <Stored extends { readonly id: number }>(
  kind: string,
  before: Stored | undefined,
  after: Stored | undefined,
  names: readonly (keyof Stored & string)[],
  nameField?: keyof Stored,
): AuditedChange => {
  const changed = changedFields<Partial<Stored>>(before ?? {}, after ?? {}, names);
  const name = nameField && (after ?? before)?.[nameField];
  return {
    subject: `${kind}:${(before ?? after)?.id}`,
    ...(typeof name === 'string' && { subjectName: name }),
    ...(before && { before: changed.before }),
    ...(after && { after: changed.after }),
  };
};
