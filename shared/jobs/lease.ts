import { claim, releaseClaim } from '../db/claim.ts';
import { jobKeys } from './keys.ts';

/** The timeout of the function of jobs: whoever holds a lease for longer has died. */
const jobLeaseMs = 60_000;

/**
 * Runs work unless another job that runs now has the lease of this name. Returns `undefined` then. `leaseMs` is the timeout of
 * the function that runs it.
 */
export const withLease = async <Result>(
  name: string,
  work: () => Promise<Result>,
  leaseMs = jobLeaseMs,
): Promise<Result | undefined> => {
  const key = jobKeys.lease.at({ name });
  const until = Date.now() + leaseMs;
  const { state, token } = await claim(key, { until, ttl: Math.ceil(until / 1_000) });
  if (state !== 'mine') return undefined;
  return work().finally(() => releaseClaim(key, token));
};
