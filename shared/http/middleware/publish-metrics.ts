import { publishMetrics as publish } from '../../runtime/telemetry.ts';
import type { Middleware } from '../http.ts';

/** Publishes the metrics of a request. */
export const publishMetrics = (): Middleware => ({ after: publish, onError: publish });
