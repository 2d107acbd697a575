import { claim, releaseClaim } from '../db/claim.ts';
import { jobKeys } from './keys.ts';

/** The timeout of the function of jobs: whoever holds a lease for longer has died. */
const leaseMs = 60_000;

/** Runs work unless another job that runs now has the lease of this name. Returns `undefined` then. */
export const withLease = async <Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> => {
  const key = jobKeys.lease.at({ name });
  const until = Date.now() + leaseMs;
  const { state, token } = await claim(key, { until, ttl: Math.ceil(until / 1_000) });
  if (state !== 'mine') return undefined;
  return work().finally(() => releaseClaim(key, token));
};
