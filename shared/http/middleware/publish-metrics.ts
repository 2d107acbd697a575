import { getMetrics } from '../../runtime/telemetry.ts';
import type { Middleware } from '../http.ts';

/** Publishes what a request has counted. Most count nothing, and an empty record takes as long to make as a full one. */
export const publishMetrics = (): Middleware => {
  const publish = () => {
    const metrics = getMetrics();
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  };
  return { after: publish, onError: publish };
};
