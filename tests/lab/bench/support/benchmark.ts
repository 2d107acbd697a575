/** A benchmark that can be run by name. */
export interface Benchmark {
  /** One line for the list of benchmarks. */
  readonly summary: string;
  /** The options with their defaults, such as `--rounds 20`. */
  readonly usage: string;
  /** Measures and writes a report to stdout; throws when a measurement fails. */
  run(args: readonly string[]): Promise<void>;
}
