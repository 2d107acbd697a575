import type { TypicalCalls } from '../sample-requests/sample-request.ts';
import { allTypicalCalls } from '../service/all-sample-requests.ts';
import { moreCalls } from './more-requests.ts';

/** Returns the typical calls of every group, and further cases. */
export const callsOfAllWays = async (): Promise<TypicalCalls> => ({
  ...moreCalls,
  ...(await allTypicalCalls()),
});
