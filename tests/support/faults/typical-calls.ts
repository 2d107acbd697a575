import { allTypicalCalls } from '../all-typical-calls.ts';
import type { TypicalCalls } from '../typical-calls/typical.ts';
import { moreCalls } from './more-calls.ts';

/** The typical calls of every group, and those that take other ways. */
export const callsOfAllWays = async (): Promise<TypicalCalls> => ({
  ...moreCalls,
  ...(await allTypicalCalls()),
});
