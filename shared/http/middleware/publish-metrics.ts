import { getMetrics } from '../../runtime/telemetry.ts';
import type { Middleware } from '../http.ts';

/** Publishes the metrics of a request. Skips empty records, because creating one takes as long as a full one. */
export const publishMetrics = (): Middleware => {
  const publish = () => {
    const metrics = getMetrics();
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  };
  return { after: publish, onError: publish };
};
