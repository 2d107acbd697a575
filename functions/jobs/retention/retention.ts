import { withLease } from '../../../shared/jobs/lease.ts';
import { sendJob } from '../../../shared/jobs/queue.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { sweepDeadline } from '../../../shared/schedule/due-work.ts';
import { retentionJob, type walks } from './jobs.ts';
import { walkShares } from './share-walk.ts';
import { findUserWalk, walkUsers } from './user-walk.ts';

type Walk = (typeof walks)[number];

const run: Readonly<Record<Walk, typeof walkShares>> = { shares: walkShares, users: walkUsers };

/** Minutes between the looks at what is kept no longer. */
const intervalMinutes = 10;

/**
 * Goes on with a walk for up to 20 s and leaves the rest to another job, unless something failed. Does nothing while one is at
 * work. If it fails or dies, the scheduled run begins again where it was.
 * @throws the first error, after all else is done
 */
export const goOn = async (walk: Walk): Promise<void> => {
  const walked = await withLease(`retention-${walk}`, () => run[walk](sweepDeadline()));
  if (!walked) return;
  // What fails often would follow itself without an end.
  if (walked.failure !== undefined) throw walked.failure;
  if (!walked.isAtEnd) await sendJob(retentionJob, { walk });
};

/**
 * Deletes what the settings MAX_SHARE_AGE, MESSAGES_KEEP and NOTIFICATIONS_KEEP keep no longer (decisions.md#retention). The
 * scheduled run calls it each minute; every ten minutes it looks, which reads two items at most.
 */
export const keepRetention = async (): Promise<void> => {
  if (new Date().getUTCMinutes() % intervalMinutes !== 0) return;
  const isBound = getSetting('MAX_SHARE_AGE') !== undefined;
  await Promise.all([
    isBound ? goOn('shares') : undefined,
    findUserWalk().then((walk) => walk && goOn('users')),
  ]);
};
