import type { TypicalCalls } from '../../../support/sample-requests/sample-request.ts';
import { allTypicalCalls } from '../../../support/service/all-sample-requests.ts';
import { moreCalls } from './more-requests.ts';

/** Returns the typical calls of every group, and further cases. */
export const callsOfAllWays = async (): Promise<TypicalCalls> => ({
  ...moreCalls,
  ...(await allTypicalCalls()),
});

/** Selects calls by a regular expression. */
const only = new RegExp(process.env['FAULTS_ONLY'] ?? '');

/** Returns the calls that FAULTS_ONLY selects, by default all. */
export const selectedCalls = async (): Promise<[string, TypicalCalls[string]][]> =>
  Object.entries(await callsOfAllWays()).filter(([call]) => only.test(call));
