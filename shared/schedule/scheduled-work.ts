/** Work that is done every minute: a bounded amount each time, and the rest the next. A group declares its own in `scheduled.ts`. */
export interface ScheduledWork {
  /** What its log entries call it. */
  readonly name: string;
  /** Does what is due; called again while nothing is, or twice at once, it does no harm. */
  run(): Promise<void>;
}
