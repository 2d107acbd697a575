import type { ClientInfo } from '../http/route.ts';
import { enqueueBestEffort } from '../jobs/queue.ts';
import { getMetrics } from '../runtime/telemetry.ts';
import type { EventJob } from '../webhooks/event-write.ts';
import type { counted } from './days.ts';
import { activity } from './jobs.ts';
import { createVisitorId } from './visitor.ts';

/** Something a visitor did. */
export interface ActivityEvent {
  /** The counters it increments. */
  readonly counts: readonly (typeof counted)[number][];
  /** Id of a share whose own view count it increments as well: one that was viewed without consuming a view. */
  readonly share?: string;
  /** Identifies an event that may be tracked twice, such as after a double click, with the same minute in `at`. */
  readonly claim?: string;
  /** What tells the owner of the share of it, once it is counted. */
  readonly event?: EventJob | undefined;
  /** When it happened, in ms since 1970. Defaults to now. */
  readonly at?: number;
}

const timeoutMs = 200;

/** The first event also waits for the signing secret, whose client has to connect. */
const connectMs = 1_000;

let isConnected = false;

const withTimeout = async <Result>(work: Promise<Result>): Promise<Result> => {
  const waitMs = isConnected ? timeoutMs : connectMs + timeoutMs;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Timed out after ${waitMs} ms`)), waitMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    isConnected = true;
  }
};

/**
 * Tracks an activity event for the dashboard by an asynchronous job. Never throws. Takes up to 200 ms, or 400 ms when the
 * signing secret has to be read first, and for the first event of a process a second more for each of them to connect. An
 * event the queue does not accept in time is lost and counted as `JobsDropped`. The job contains no IP address.
 */
export const trackActivity = async (
  client: Pick<ClientInfo, 'network' | 'userAgent'>,
  { counts, share, claim, event, at: time = Date.now() }: ActivityEvent,
): Promise<void> => {
  const at = new Date(time).toISOString();
  try {
    const viewer = await withTimeout(createVisitorId(client, at.slice(0, 10)));
    const job = { at, visitor: viewer, counts: [...counts], share, claim, event };
    await enqueueBestEffort(activity, job);
  } catch {
    getMetrics().addMetric('JobsDropped', 'Count', 1);
  }
};
