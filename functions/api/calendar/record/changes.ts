import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import type { StoredEvent } from './event.ts';
import { eventKeys } from './keys.ts';

/** Creates the write that marks a user's calendar as changed. */
export const changeMark = (userId: number): Write => ({
  Update: {
    TableName: tableName(),
    Key: eventKeys.changes.at({ userId }),
    UpdateExpression: 'ADD changes :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});

const listUsers = (event: StoredEvent | undefined): number[] =>
  event ? [event.ownerId, ...event.attendees.map(({ id }) => id)] : [];

/**
 * Creates the marks of the calendars that show an event, for the transaction of its change. Attendees whose entries it
 * writes are marked with their notifications, because one transaction can't hold entries and marks of all. All events of a
 * removed user would wait for the same mark, which nobody reads.
 */
export const markChanged = (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
  entries: readonly Write[],
  removed?: number,
): readonly Write[] => {
  const written = new Set(entries.map(({ Put, Delete }) => (Put?.Item ?? Delete?.Key)?.['pk']));
  const owners = [before, after].flatMap((event) => event?.ownerId ?? []);
  const others = [...listUsers(before), ...listUsers(after)].filter(
    (userId) => !written.has(eventKeys.recurring.partition({ userId }).pk),
  );
  const users = new Set([...owners, ...others].filter((userId) => userId !== removed));
  return [...users].map(changeMark);
};
