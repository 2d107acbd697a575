import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { ClientInfo } from '../http/route.ts';
import { enqueueBestEffort } from '../jobs/queue.ts';
import { getMetrics } from '../runtime/telemetry.ts';
import type { counted } from './days.ts';
import { activity } from './jobs.ts';
import { createVisitorId } from './visitor.ts';

/** Something that somebody did. */
export interface ActivityEvent {
  /** What it counts as. */
  readonly counts: readonly (typeof counted)[number][];
  /** The id of the share whose own views it is counted into: one that was seen without a claim. */
  readonly share?: string;
  /** Names it where the same may be noted twice, as by a double click; with the same minute in `at` each time. */
  readonly claim?: string;
  /** When it happened (ms since 1970), where that is not now. */
  readonly at?: number;
}

const briefMs = 200;

const inTime = async <Result>(work: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It takes too long')), briefMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Has something that a caller did counted for the dashboard, once the queue delivers it. It never fails and takes at most
 * 200 ms, or twice that where the signing secret has to be read first; what the queue has not taken by then is lost and
 * counted as `JobsDropped`. No address goes into the message.
 */
export const trackActivity = async (
  client: Pick<ClientInfo, 'network' | 'userAgent'>,
  { counts, share, claim, at: time = Date.now() }: ActivityEvent,
): Promise<void> => {
  const at = new Date(time).toISOString();
  try {
    const viewer = await inTime(createVisitorId(client, at.slice(0, 10)));
    await enqueueBestEffort(activity, { at, visitor: viewer, counts: [...counts], share, claim });
  } catch {
    getMetrics().addMetric('JobsDropped', MetricUnit.Count, 1);
  }
};
