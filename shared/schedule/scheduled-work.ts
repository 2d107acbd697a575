/**
 * Work of the run that is scheduled every minute: a limited amount each time. A group declares its own in
 * `scheduled.ts`.
 */
export interface ScheduledWork {
  /** Name in logs. */
  readonly name: string;
  /** Does what is due. Safe to run again or concurrently. */
  run(): Promise<void>;
}
