export const MetricUnit = { Count: 'Count' };

/** Counts nothing. */
export class Metrics {
  addMetric(): void {}
  publishStoredMetrics(): void {}
}
