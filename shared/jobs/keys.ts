import { keyFamily } from '../db/key.ts';

export const jobKeys = {
  // Three write units a job, two of them in a transaction: 8 partitions take 2,600 jobs a second.
  /** Job that the queue did not accept, by the time from which it may be sent. */
  outbox: keyFamily('OUTBOX#{id:shard of 8}', '{at}#{id}'),
  /** Job that was given up. The id begins with the time. */
  failed: keyFamily('FAILED_JOBS', '{id}'),
  /** Job that was started or completed. */
  execution: keyFamily('JOB#{messageId}', 'JOB'),
  /** What one job at a time may do, such as the sweep of a shard. */
  lease: keyFamily('JOB#LEASE#{name:any}', 'JOB'),
} as const;
