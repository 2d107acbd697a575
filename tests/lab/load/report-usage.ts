import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { Usage, UsageRequest } from './usage.ts';

/** Returns the resident bytes of mapped files, which grow with the stored data. */
const mappedBytes = (): number => {
  if (process.platform !== 'linux') return 0;
  const [, kb = '0'] =
    readFileSync('/proc/self/status', 'utf8').match(/^RssFile:\s*(\d+) kB$/m) ?? [];
  return Number(kb) * 1_024;
};

// Loaded before the service (`node --import`). Reports this process's usage to its parent, without a route or signal of
// the service.
process.on('message', ({ collect }: UsageRequest) => {
  // The second collection frees objects that the first one finalizes.
  for (let times = 0; collect && times < 2; times++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { total_physical_size: heap, used_heap_size: heapUsed } = getHeapStatistics();
  const mapped = mappedBytes();
  const rest = process.memoryUsage.rss() - heap - mapped;
  const usage = { cpuMs: (user + system) / 1_000, heap, mapped, rest, heapUsed };
  process.send?.(usage satisfies Usage);
});
// Lets the service end with an open channel.
process.channel?.unref();
