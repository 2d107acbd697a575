import type { Client } from './client.ts';
import type { Random } from './random.ts';
import type { Username } from './team.ts';

/** What the steps know: who is who, and a time of these weeks. */
export interface Story {
  readonly client: Client;
  readonly random: Random;
  /** Returns the id of a user. */
  idOf(who: Username): number;
  /** Returns the time (ms since 1970) at an hour (UTC, 9.5 is 9:30) some days ago. */
  at(daysAgo: number, hour: number): number;
}

/** Something that happened at a time (ms since 1970). */
export interface Step {
  readonly at: number;
  run(): Promise<unknown>;
}
