import * as z from 'zod';
import { listDailyVisits } from '../../../shared/activity/days.ts';
import { withDeadline } from '../../../shared/runtime/deadline.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { putObject } from '../../../shared/storage/bucket.ts';

/** How long each check may take. ms. */
const maxMs = 2_000;

/** Each check replaces this object, which belongs to no record. */
export const probeKey = 'texts/health';

const count = (description: string) => z.int().nonnegative().meta({ description });
const part = (description: string) => z.enum(['ok', 'failed']).meta({ description });

const example = {
  checkedAt: '2026-11-21T12:00:00.000Z',
  table: 'ok' as const,
  bucket: 'ok' as const,
  queue: 'ok' as const,
  jobs: { waiting: 2, running: 1, delayed: 0, failed: 0 },
  today: { visits: 41, uniqueVisitors: 29, pageViews: 87, views: 120, signIns: 12 },
};

/** What works behind the service, and what it does. */
export const Health = z
  .object({
    checkedAt: z.iso.datetime(),
    table: part('Whether the table answers a query.'),
    bucket: part('Whether the bucket stores an object.'),
    queue: part('Whether the queue of background jobs answers.'),
    jobs: z
      .object({
        waiting: count('Due, and not yet started.'),
        running: count('Running, or to be tried again.'),
        delayed: count('Due later.'),
        failed: count(
          'Dead letters, which are kept for 14 days: jobs that failed five times and are not among the failed jobs.',
        ),
      })
      .nullable()
      .meta({ description: 'The approximate number of jobs. `null`: the queue doesn’t answer.' }),
    today: z
      .object({
        visits: count('Visits, as on the dashboard.'),
        uniqueVisitors: count('The exact number of visitors.'),
        pageViews: count('How often pages of shares showed their content.'),
        views: count('How often the content of shares was served, by the API too.'),
        signIns: count('Successful sign-ins.'),
      })
      .nullable()
      .meta({
        description: 'What was counted since midnight (UTC). `null`: the table doesn’t answer.',
      }),
  })
  .meta({ id: 'ServiceHealth', examples: [example] });

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Returns what a check finds, or `undefined` if it fails or takes too long. The reason is logged. */
const check = async <Found>(
  name: string,
  work: (signal: AbortSignal) => Promise<Found>,
): Promise<Found | undefined> => {
  try {
    return await withDeadline(maxMs, (signal) =>
      Promise.race([work(signal), rejectOnAbort(signal)]),
    );
  } catch (error) {
    getLogger().warn('Health check failed', { part: name, error: serializeError(error) });
    return undefined;
  }
};

const toPart = (found: unknown): 'ok' | 'failed' => (found === undefined ? 'failed' : 'ok');

/** Checks the table, the bucket and the queue, each for up to two seconds. A failed part doesn't affect the others. */
export const checkHealth = async (): Promise<z.output<typeof Health>> => {
  const [today, bucket, jobs] = await Promise.all([
    check('table', async () => (await listDailyVisits(1))[0]),
    check('bucket', async () => {
      await putObject(probeKey, new Uint8Array());
      return true;
    }),
    // Loaded on first use, because SQS's client is as large as the rest of the bundle.
    check('queue', async (signal) =>
      (await import('../../../shared/jobs/queue-state.ts')).readQueueState(signal),
    ),
  ]);
  const { date: _, ...figures } = today ?? { date: '' };
  return {
    checkedAt: new Date().toISOString(),
    table: toPart(today),
    bucket: toPart(bucket),
    queue: toPart(jobs),
    jobs: jobs ?? null,
    today: today ? (figures as NonNullable<z.output<typeof Health>['today']>) : null,
  };
};
