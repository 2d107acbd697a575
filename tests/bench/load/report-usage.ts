import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { Usage, UsageRequest } from './usage.ts';

/** What is resident of files that are mapped into memory, such as the tables of LevelDB, which grow with what is stored. */
const mappedBytes = (): number => {
  if (process.platform !== 'linux') return 0;
  const [, kb = '0'] =
    readFileSync('/proc/self/status', 'utf8').match(/^RssFile:\s*(\d+) kB$/m) ?? [];
  return Number(kb) * 1_024;
};

// Loaded before the service (`node --import`): tells the process that started it what this one uses, without a route or a
// signal of the service's own.
process.on('message', ({ collect }: UsageRequest) => {
  // What the first collection finalises the second one frees.
  for (let times = 0; collect && times < 2; times++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { total_physical_size: heap, used_heap_size: heapUsed } = getHeapStatistics();
  const mapped = mappedBytes();
  const rest = process.memoryUsage.rss() - heap - mapped;
  const usage = { cpuMs: (user + system) / 1_000, heap, mapped, rest, heapUsed };
  process.send?.(usage satisfies Usage);
});
// The service ends when asked to, even with open connections.
process.channel?.unref();
