import type { Usage, UsageRequest } from './usage.ts';

// Loaded before the service (`node --import`): tells the process that started it what this one uses, without a route or a
// signal of the service's own.
process.on('message', ({ collect }: UsageRequest) => {
  // What the first collection finalises the second one frees.
  for (let times = 0; collect && times < 2; times++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, rss, heapUsed } satisfies Usage);
});
// The service ends when it is asked to, whoever may still listen.
process.channel?.unref();
