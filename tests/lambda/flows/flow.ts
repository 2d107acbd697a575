import { randomBytes } from 'node:crypto';
import { runMinute } from '../../support/service/jobs.ts';
import { runJobs } from '../run-jobs.ts';

/** Ways through the service that no typical call of one route takes, by what they are about. */
export type Flows = Readonly<Record<string, () => Promise<void>>>;

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** A text that no compression makes small enough for the table. */
export const large = (): string => randomBytes(40_000).toString('base64');

/** Lets the minute's work take its turn, and then the jobs that it found. */
export const runAll = async (): Promise<void> => {
  await runMinute();
  await runJobs();
};
