import { batchGet } from '../../shared/dynamodb.ts';
import { keys } from '../../shared/table.ts';

/** Those of the users who are there, in the order that they are named in; strongly consistent. */
export const existingUsers = async (userIds: readonly number[]): Promise<number[]> => {
  const users = await batchGet(userIds.map(keys.user));
  return userIds.filter((_, at) => users[at] !== undefined);
};
