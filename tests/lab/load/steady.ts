import { setTimeout as wait } from 'node:timers/promises';
import { textTable } from '../support/text-table.ts';
import { ask, errorsOf } from './measure.ts';
import { mixed } from './scenarios.ts';
import type { LoadedServer } from './server.ts';
import type { Site } from './site.ts';
import { type Sample, trendOf, verdictOf } from './trend.ts';
import type { Usage } from './usage.ts';

const sampleMs = 10_000;
const minuteMs = 60_000;
const mb = 1024 * 1024;

interface Point extends Usage {
  readonly minutes: number;
}

const inMb = (bytes: number): string => (bytes / mb).toFixed(1);

const head = ['minute', 'RSS MB', 'V8 heap', 'mapped files', 'other', 'heap used', 'CPU s'];

/** Growth of these is a leak. V8 reserves heap memory ahead, and the system maps files as memory allows. */
const watched = { rest: 'Other memory', heapUsed: 'Heap used' } as const;

const samplesOf = (points: readonly Point[], of: keyof typeof watched): Sample[] =>
  points.map((point) => ({ minutes: point.minutes, value: point[of] }));

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const rowOf = ({ minutes, heap, mapped, rest, heapUsed, cpuMs }: Point): string[] => [
  minutes.toFixed(1),
  inMb(heap + mapped + rest),
  inMb(heap),
  inMb(mapped),
  inMb(rest),
  inMb(heapUsed),
  (cpuMs / 1_000).toFixed(1),
];

/** Samples the service's memory every ten seconds until a run ends. */
const watch = async (server: LoadedServer, ended: Promise<unknown>): Promise<Point[]> => {
  const started = performance.now();
  let isExpired = false;
  void ended.finally(() => {
    isExpired = true;
  });
  const points: Point[] = [];
  let nextMinute = minuteMs;
  for (;;) {
    const usage = await server.usage({ collect: true });
    const ms = performance.now() - started;
    const point = { ...usage, minutes: ms / minuteMs };
    points.push(point);
    if (ms >= nextMinute) {
      print(
        `minute ${Math.floor(ms / minuteMs)}: ${inMb(usage.heap + usage.mapped + usage.rest)} MB`,
      );
      nextMinute += minuteMs;
    }
    if (isExpired) return points;
    await Promise.race([wait(sampleMs), ended]);
  }
};

const describe = (points: readonly Point[], of: keyof typeof watched): string => {
  const samples = samplesOf(points, of);
  const { slope, error } = trendOf(samples.slice(Math.floor(samples.length / 2)));
  const perMinute = `${(slope / mb).toFixed(2)} ± ${(error / mb).toFixed(2)} MB/min`;
  return `${watched[of]}: ${verdictOf(samples)} (second half: ${perMinute})`;
};

/**
 * Sends mixed requests at a steady rate and prints the service's memory over time. Returns the number of failed requests,
 * and whether memory grows.
 */
export const runSteadily = async (
  server: LoadedServer,
  site: Site,
  { seconds, rate }: { readonly seconds: number; readonly rate: number },
): Promise<{ readonly errors: number; readonly isGrowing: boolean }> => {
  const running = ask(server, site, mixed, { seconds, rate });
  const points = await watch(server, running);
  const result = await running;
  const everyMinute = points.filter(
    ({ minutes }, at) =>
      at === 0 ||
      at === points.length - 1 ||
      Math.floor(minutes) > Math.floor(points[at - 1]?.minutes ?? 0),
  );
  print('');
  process.stdout.write(textTable(head, everyMinute.map(rowOf)));
  const answered = result['2xx'] + result.non2xx;
  const { p50, p99 } = result.latency;
  const errors = errorsOf(result);
  print('');
  print(
    `${answered} requests at ${rate}/s, p50 ${p50} ms, p99 ${p99} ms, ${errors} errors. Memory is sampled every ten seconds after a full garbage collection.`,
  );
  const all = Object.keys(watched) as (keyof typeof watched)[];
  for (const of of all) print(describe(points, of));
  return { errors, isGrowing: all.some((of) => verdictOf(samplesOf(points, of)) === 'growing') };
};
