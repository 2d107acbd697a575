import { listShards } from '../../../shared/db/key.ts';
import { sweepDeadline, sweepShard } from '../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';

/**
 * Does everything of some scheduled work that is due now, in this process.
 * @throws the first error, after trying all
 */
export const sweep = async (work: ScheduledWork): Promise<void> => {
  const bound = sweepDeadline();
  const swept = await Promise.all(
    listShards(work.due).map((shard) => sweepShard(work, shard, bound)),
  );
  const failed = swept.find(({ error }) => error !== undefined);
  if (failed) throw failed.error;
};
