import type { AnyKeyFamily } from '../db/key.ts';
import type { ListKey } from '../db/query.ts';
import type { Deadline } from '../lists/process-items.ts';

/**
 * Work that is due at a time. A run every minute does it, and jobs where much is due. A group declares its own in
 * `scheduled.ts`.
 */
export interface ScheduledWork {
  /** Name in logs and jobs. */
  readonly name: string;
  /** The keys of its list, in shards by a hash. The sort key begins with the time from which an entry counts. */
  readonly due: AnyKeyFamily;
  /** How long after that time the work is due, in ms. */
  readonly afterMs?: number;
  /**
   * Does the work of up to 100 entries. Safe to repeat and to run concurrently.
   * @throws the first error, after trying all
   */
  run(items: readonly ListKey[], bound: Deadline): Promise<void>;
}
