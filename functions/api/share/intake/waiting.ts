import { countItems, type ListQuery, partitionQuery } from '../../../../shared/db/query.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { countWaiting } from '../record/waiting.ts';
import { requestKeys } from './keys.ts';

/** Creates the query of the requests waiting for a decision, longest waiting first. */
export const waitingRequestsQuery = (): ListQuery =>
  partitionQuery({ ...requestKeys.reported.partition(), ofIndex: true }, false);

/** The greatest number that a page tells. */
const maxTold = 100;

/**
 * Counts the shares and requests that wait for a user who can decide, up to 100, in two queries of one read unit each; for
 * others, nothing does.
 */
export const countWaitingFor = async (permissions: readonly string[]): Promise<number> => {
  if (!can(permissions, 'shares:manage')) return 0;
  const counts = await Promise.all([
    countWaiting(maxTold),
    countItems(waitingRequestsQuery(), maxTold),
  ]);
  return Math.min(counts[0] + counts[1], maxTold);
};
