/** The resources that a process uses. */
export interface Usage {
  /** CPU of all threads since the start, user and system, in ms. */
  readonly cpuMs: number;
  /** Resident bytes: the heap that V8 has reserved, mapped files, and all others, such as buffers. */
  readonly heap: number;
  readonly mapped: number;
  readonly rest: number;
  /** Used bytes of the heap. */
  readonly heapUsed: number;
}

/** A request to the process; `collect` collects all garbage first. */
export interface UsageRequest {
  readonly collect: boolean;
}
