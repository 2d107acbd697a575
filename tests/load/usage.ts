/** What a process has used and holds. */
export interface Usage {
  /** Of all its threads since its start, user and system, in ms. */
  readonly cpuMs: number;
  /** In bytes: resident without files that are mapped, such files, and what of the former is JavaScript's. */
  readonly own: number;
  readonly mapped: number;
  readonly heapUsed: number;
}

/** What the process is asked for: with `collect` after a full collection of garbage. */
export interface UsageRequest {
  readonly collect: boolean;
}
