import { countItems, type ListQuery, partitionQuery } from '../../../../shared/db/query.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { shareKeys } from './keys.ts';

/** Creates the query of the shares waiting for a decision, longest waiting first. */
export const waitingQuery = (): ListQuery =>
  partitionQuery({ ...shareKeys.reported.partition(), ofIndex: true }, false);

/** Counts the shares waiting for a decision, up to a bound. */
export const countWaiting = (bound: number): Promise<number> => countItems(waitingQuery(), bound);

/** The greatest number that a page tells. */
const maxTold = 100;

/** Counts what waits for a user who can decide, up to 100, in one query of one read unit; for others, nothing does. */
export const countWaitingFor = async (permissions: readonly string[]): Promise<number> =>
  can(permissions, 'shares:manage') ? countWaiting(maxTold) : 0;
