import type { EventSource } from '../../../infra/local/jobs/event-source.ts';

/** Delivers the messages of all queues, those sent meanwhile too. Returns the number of deliveries. */
export const deliverAll = async (sources: readonly EventSource[]): Promise<number> => {
  let deliveries = 0;
  for (;;) {
    const counts = await Promise.all(sources.map((source) => source.deliver({ waitSeconds: 0 })));
    const count = counts.reduce((sum, one) => sum + one, 0);
    if (count === 0) return deliveries;
    deliveries += count;
  }
};
