export const MetricUnit = { Count: 'Count' };

/** Records nothing. */
export class Metrics {
  addMetric(): void {}
  hasStoredMetrics(): boolean {
    return false;
  }
  publishStoredMetrics(): void {}
}
