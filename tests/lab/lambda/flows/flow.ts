import { randomBytes } from 'node:crypto';
import { runMinute } from '../../../support/service/jobs.ts';
import { runJobs } from '../run-jobs.ts';

/** Sequences of requests beyond the typical calls, by subject. */
export type Flows = Readonly<Record<string, () => Promise<void>>>;

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** A text that stays too large for the table when compressed. */
export const large = (): string => randomBytes(40_000).toString('base64');

/** Runs the scheduled sweep, and then the jobs that it sent. */
export const runAll = async (): Promise<void> => {
  await runMinute();
  await runJobs();
};
