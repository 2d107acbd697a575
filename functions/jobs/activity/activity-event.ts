import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { activity } from '../../../shared/activity/jobs.ts';
import type { JobMessage } from '../../../shared/jobs/job-type.ts';

/** What a message about something that happened says. */
export type Activity = z.output<typeof activity.data>;

/** Something that happened, as a message tells it, and what names it however often it is told of. */
export interface ActivityEvent {
  /** The message's. */
  readonly id: string;
  /** 64 bits, as 11 characters. */
  readonly name: string;
  readonly data: Activity;
}

/** So many bytes of a hash name a happening among those of ten minutes. */
export const nameBytes = 8;

const hash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, nameBytes).toString('base64url');

/** What these messages tell of, each once. */
export const listEvents = (messages: readonly JobMessage<Activity>[]): ActivityEvent[] => {
  const all = messages.map(({ id, data }) => ({ id, name: hash(data.claim ?? id), data }));
  return [...new Map(all.map((one) => [one.name, one])).values()];
};

/** The day (UTC) on which it happened, such as `2026-11-21`. */
export const getDay = ({ data: { at } }: ActivityEvent): string => at.slice(0, 10);

/** The ten minutes in which it happened, such as `2026-11-21T12:3`. */
export const tenMinuteWindow = ({ data: { at } }: ActivityEvent): string => at.slice(0, 15);
