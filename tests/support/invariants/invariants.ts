import type { State } from '../service/state.ts';
import { ofEvents } from './calendar.ts';
import { ofDocuments } from './documents.ts';
import { ofFiles } from './files.ts';
import { ofMessages } from './messages.ts';
import { ofNotifications } from './notifications.ts';
import { ofObjects } from './objects.ts';
import { ofSales } from './sales.ts';
import { ofShares } from './shares.ts';
import { Stored } from './stored.ts';
import { ofAudit, ofCheckins, ofUsers } from './users.ts';

const checks: readonly ((stored: Stored) => string[])[] = [
  ofUsers,
  ofCheckins,
  ofAudit,
  ofShares,
  ofDocuments,
  ofFiles,
  ofMessages,
  ofNotifications,
  ofEvents,
  ofSales,
  ofObjects,
];

/**
 * Returns the inconsistencies in stored data: between records and their markers, index entries and objects, and between
 * counters and items. Valid at any time, even after interruptions: ignores data with a pending job.
 */
export const violationsOf = (state: State): string[] => {
  const stored = new Stored(state);
  return checks.flatMap((check) => check(stored));
};
