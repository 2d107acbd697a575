/** Records nothing. */
export class Metrics {
  publishStoredMetrics(): void {}
}
