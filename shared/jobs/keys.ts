import { keyFamily } from '../db/key.ts';

export const jobKeys = {
  /** Job that the queue did not accept, by the time from which it may be sent. */
  outbox: keyFamily('OUTBOX', '{sendAt}#{id}'),
  /** Job that was given up. The id begins with the time. */
  failed: keyFamily('FAILED_JOBS', '{id}'),
  /** Job that was started or completed. */
  execution: keyFamily('JOB#{messageId}', 'JOB'),
} as const;
