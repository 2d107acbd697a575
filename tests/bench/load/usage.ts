/** What a process has used and holds. */
export interface Usage {
  /** Of all its threads since its start, user and system, in ms. */
  readonly cpuMs: number;
  /** What is resident, in bytes: the heap as V8 has it, files that are mapped, and all the rest, such as buffers. */
  readonly heap: number;
  readonly mapped: number;
  readonly rest: number;
  /** What of the heap is in use. */
  readonly heapUsed: number;
}

/** What the process is asked for: with `collect` after a full collection of garbage. */
export interface UsageRequest {
  readonly collect: boolean;
}
