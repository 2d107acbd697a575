import { countItems, type ListQuery, partitionQuery } from '../../../../shared/db/query.ts';
import { shareKeys } from './keys.ts';

/** Creates the query of the shares waiting for a decision, longest waiting first. */
export const waitingQuery = (): ListQuery =>
  partitionQuery({ ...shareKeys.reported.partition(), ofIndex: true }, false);

/** Counts the shares waiting for a decision, up to a bound. */
export const countWaiting = (bound: number): Promise<number> => countItems(waitingQuery(), bound);
