import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Sample, trendOf, verdictOf } from './trend.ts';
import type { Usage } from './usage.ts';

/** Returns a sample every ten seconds. */
const samples = (minutes: number, valueAt: (minute: number) => number): Sample[] =>
  Array.from({ length: minutes * 6 + 1 }, (_, at) => ({ minutes: at / 6, value: valueAt(at / 6) }));

/** Returns values that alternate by this amount, as memory does. */
const swing = (by: number) => (minute: number) => (Math.round(minute * 6) % 2 === 0 ? by : -by);

describe('trendOf', () => {
  it('returns the slope per minute of the line through the samples', () => {
    const { slope, error } = trendOf(samples(10, (minute) => 100 + 3 * minute));
    expect(slope).toBeCloseTo(3);
    expect(error).toBeCloseTo(0);
  });

  it('returns a larger error for samples farther from the line', () => {
    const [calm, wild] = [1, 10].map((by) => trendOf(samples(10, swing(by))));
    expect(wild?.error).toBeCloseTo(10 * (calm?.error ?? 0));
  });

  it('returns an infinite error for two samples', () => {
    expect(trendOf(samples(10, () => 1).slice(0, 2)).error).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('verdictOf', () => {
  it.each([
    ['growing', 'a steady rise', 10, (minute: number) => 100 + minute],
    ['growing', 'a rise with fluctuation', 10, (minute: number) => 100 + minute + swing(2)(minute)],
    ['flat', 'a constant value', 10, () => 100],
    ['flat', 'a fluctuation', 10, (minute: number) => 100 + swing(5)(minute)],
    ['flat', 'a fall', 10, (minute: number) => 200 - minute],
    ['flat', 'a rise in the first half only', 10, (minute: number) => 100 + Math.min(minute, 4)],
    ['flat', 'a rise by less than 2 %', 10, (minute: number) => 1_000 + minute],
    ['not to be told', 'less than five minutes', 4, (minute: number) => 100 + 10 * minute],
    ['not to be told', 'no samples', 0, () => 100],
  ] as const)('returns "%s" for %s', (verdict, _, minutes, valueAt) => {
    expect(verdictOf(samples(minutes, valueAt))).toBe(verdict);
  });
});

/** Returns the usage that a process reports after running a script. */
const usageAfter = async (script: string): Promise<Usage> => {
  const load = join(import.meta.dirname, '.');
  const child = fork('-e', [`${script}; setInterval(() => {}, 1_000);`], {
    execArgv: ['--expose-gc', '--import', join(load, 'report-usage.ts')],
  });
  const exited = once(child, 'exit');
  const answered = once(child, 'message');
  child.send({ collect: true });
  const [usage] = await answered;
  child.kill();
  await exited;
  return usage as Usage;
};

const mb = 2 ** 20;

describe('the usage of a process', () => {
  it('separates the heap of V8 from other resident memory', async () => {
    const [idle, objects, buffer] = await Promise.all(
      [
        '',
        'globalThis.kept = Array.from({ length: 256 }, () => new Array(2 ** 17).fill(0.5))',
        'globalThis.kept = Buffer.alloc(256 * 2 ** 20, 1)',
      ].map(usageAfter),
    );
    if (!idle || !objects || !buffer) throw new Error('A process has told nothing');
    expect(objects.heapUsed - idle.heapUsed).toBeGreaterThan(80 * mb);
    expect(objects.heap - idle.heap).toBeGreaterThan(80 * mb);
    expect(Math.abs(objects.rest - idle.rest)).toBeLessThan(60 * mb);
    expect(buffer.rest - idle.rest).toBeGreaterThan(240 * mb);
    expect(Math.abs(buffer.heap - idle.heap)).toBeLessThan(60 * mb);
    for (const { heap, heapUsed } of [idle, objects, buffer]) {
      expect(heap).toBeGreaterThanOrEqual(heapUsed);
    }
  });
});
