import type { TypicalCalls } from '../sample-requests/sample-request.ts';
import { allTypicalCalls } from '../service/all-sample-requests.ts';
import { moreCalls } from './more-requests.ts';

/** The typical calls of every group, and those that take other ways. */
export const callsOfAllWays = async (): Promise<TypicalCalls> => ({
  ...moreCalls,
  ...(await allTypicalCalls()),
});
