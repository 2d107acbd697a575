import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Caller } from '../http/route.ts';
import { enqueueBriefly } from '../jobs/queue.ts';
import { measures } from '../runtime/telemetry.ts';
import type { counted } from './days.ts';
import { activity } from './jobs.ts';
import { visitorOf } from './visitor.ts';

/** Something that somebody did. */
export interface Happening {
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
export const noteActivity = async (
  caller: Pick<Caller, 'network' | 'userAgent'>,
  { counts, share, claim, at: time = Date.now() }: Happening,
): Promise<void> => {
  const at = new Date(time).toISOString();
  try {
    const visitor = await inTime(visitorOf(caller, at.slice(0, 10)));
    await enqueueBriefly(activity, { at, visitor, counts: [...counts], share, claim });
  } catch {
    measures().addMetric('JobsDropped', MetricUnit.Count, 1);
  }
};
