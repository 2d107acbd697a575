import type { Launched } from './process.ts';

/** An item of the table as the database returns it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** A process of the service, with the items of the table after its start. */
export interface FreshProcess {
  readonly launched: Launched;
  readonly folder: string;
  readonly items: readonly StoredItem[];
}

/** The services of this process that no test uses, by their settings. Vitest loads this once for all files. */
export const idleServices = new Map<string, FreshProcess[]>();
