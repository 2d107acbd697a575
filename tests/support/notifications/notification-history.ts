import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { getFirstIdAt } from '../../../shared/db/ids.ts';
import { addToBox } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { getExpiresAt } from '../../../shared/notifications/notification.ts';
import { newPerson, type Person } from '../users/test-users.ts';
import { notice } from './notifications.ts';

export const putItems = async (items: readonly object[]): Promise<void> => {
  for (let at = 0; at < items.length; at += 25) {
    const batch = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
    await documentClient().send(new BatchWriteCommand({ RequestItems: { [tableName()]: batch } }));
  }
};

/** Returns the number of the day (UTC) that notification counters use. */
export const today = (): number => Math.floor(Date.now() / 86_400_000);

/** Creates a user with n stored notifications of today, of which the newest are read. */
export const newTold = async (
  count: number,
  { readOnes = 0, make = newPerson }: { readOnes?: number; make?: () => Promise<Person> } = {},
): Promise<Person> => {
  const person = await make();
  const createdAt = new Date().toISOString();
  const oldest = getFirstIdAt(Date.now());
  const newest = oldest + count - 1;
  const { Update } = addToBox(person.id, undefined, { id: newest, createdAt }, {});
  const counts = { kept: { [today()]: count }, unread: { [today()]: count - readOnes } };
  const bell = { ...Update?.ExpressionAttributeValues?.[':bell'], ...counts };
  const items = Array.from({ length: count }, (_, at) => ({
    ...notificationKeys.record.at({ userId: person.id, id: oldest + at }),
    ...notice,
    id: oldest + at,
    createdAt,
    ttl: getExpiresAt({ createdAt }),
    ...(at >= count - readOnes && { readAt: createdAt }),
  }));
  await putItems([...items, { ...Update?.Key, bell }]);
  return person;
};
