import type { Context } from 'aws-lambda';
import { claim, releaseClaim, settleClaim } from '../../shared/db/claim.ts';
import { jobKeys } from '../../shared/jobs/keys.ts';

/** Longer than messages stay in the queue and the dead-letter queue. */
const retentionSeconds = 19 * 86_400;

/** Another delivery of the message is being processed. */
class JobInProgress extends Error {
  override readonly name = 'JobInProgress';
}

/**
 * Runs the work of a message once, however often the message is delivered. Work that throws or times out runs again with
 * the next delivery.
 * @throws the error of the work; JobInProgress
 */
export const once = async (
  messageId: string,
  work: () => Promise<void>,
  context: Context,
): Promise<void> => {
  const key = jobKeys.execution.at({ messageId });
  const now = Date.now();
  const { state, token } = await claim(key, {
    until: now + context.getRemainingTimeInMillis(),
    ttl: Math.ceil(now / 1_000) + retentionSeconds,
  });
  if (state === 'settled') return;
  if (state === 'running') throw new JobInProgress('Another delivery is being processed');
  try {
    await work();
  } catch (error) {
    // Without a release, the job can run again once this function must have ended.
    await releaseClaim(key, token).catch(() => undefined);
    throw error;
  }
  await settleClaim(key, token);
};
