export const MetricUnit = { Count: 'Count' };

/** Counts nothing. */
export class Metrics {
  addMetric(): void {}
  hasStoredMetrics(): boolean {
    return false;
  }
  publishStoredMetrics(): void {}
}
