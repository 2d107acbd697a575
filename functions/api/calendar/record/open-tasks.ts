import { partitionQuery, queryItems } from '../../../../shared/db/query.ts';
import { eventKeys } from './keys.ts';

const maxTasks = 100;

/** Finds the events of a user's open tasks, up to 100. */
export const findOpenTasks = async (userId: number): Promise<readonly number[]> => {
  const query = partitionQuery(eventKeys.openTask.partition({ userId }), false);
  const items = await queryItems(query, maxTasks, undefined);
  return items.map(({ id }) => id as number);
};
