import { tableName } from '../../shared/dynamodb.ts';
import { type Key, keys } from '../../shared/table.ts';
import { putNew, removeItem, type Write } from '../../shared/transaction.ts';
import type { StoredUser } from '../../shared/user.ts';

/** The writes that move a marker from one name to another, where they differ. */
export const moveMarker = (before: Key, after: Key, userId: number) =>
  before.pk === after.pk ? {} : { free: removeItem(before), take: putNew(after, { userId }) };

/** The write of a changed user, if it is still as it was seen; it keeps what other writers own. */
export const putChanged = (seen: StoredUser, changed: StoredUser): Write => {
  const { id, ...fields } = changed;
  const names: Record<string, string> = { '#version': 'version' };
  const values: Record<string, unknown> = { ':seen': seen.version };
  const sets: string[] = [];
  const removes: string[] = [];
  for (const field of new Set([...Object.keys(seen), ...Object.keys(fields)])) {
    const value = fields[field as keyof typeof fields];
    if (JSON.stringify(value) === JSON.stringify(seen[field as keyof StoredUser])) continue;
    if (field === 'id' || field === 'pk' || field === 'sk') continue;
    names[`#${field}`] = field;
    if (value === undefined) removes.push(`#${field}`);
    else {
      values[`:${field}`] = value;
      sets.push(`#${field} = :${field}`);
    }
  }
  // Signing out everywhere moves the epoch and not the version: neither may undo the other.
  const movesEpoch = changed.sessionEpoch !== seen.sessionEpoch;
  if (movesEpoch) values[':seenEpoch'] = seen.sessionEpoch;
  return {
    Update: {
      TableName: tableName(),
      Key: keys.user(id),
      UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
      ConditionExpression: `attribute_exists(pk) AND #version = :seen${movesEpoch ? ' AND #sessionEpoch = :seenEpoch' : ''}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  };
};
