import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { activity } from '../../../shared/activity/jobs.ts';
import type { JobMessage } from '../../../shared/jobs/job-type.ts';

/** The data of an activity message. */
export type Activity = z.output<typeof activity.data>;

/** An activity of a visitor, with a name that stays the same for repeated messages. */
export interface ActivityEvent {
  /** The id of the message. */
  readonly id: string;
  /** 64 bits, as 11 characters. */
  readonly name: string;
  readonly data: Activity;
}

/** The length of a name, which must be unique among the events of ten minutes. */
export const nameBytes = 8;

const hash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, nameBytes).toString('base64url');

/** Returns the events of messages, without duplicates. */
export const listEvents = (messages: readonly JobMessage<Activity>[]): ActivityEvent[] => {
  const events = messages.map(({ id, data }) => ({ id, name: hash(data.claim ?? id), data }));
  return [...new Map(events.map((one) => [one.name, one])).values()];
};

/** Returns the day (UTC) of an event, such as `2026-11-21`. */
export const getDay = ({ data: { at } }: ActivityEvent): string => at.slice(0, 10);

/** Returns the ten minutes of an event, such as `2026-11-21T12:3`. */
export const getTenMinuteWindow = ({ data: { at } }: ActivityEvent): string => at.slice(0, 15);
