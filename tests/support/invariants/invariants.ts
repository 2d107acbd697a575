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
 * What in all that is stored contradicts itself: each record with its markers, its places in lists and its objects, each
 * of those with its record, and counts that are what there is. Right at any moment, whatever was interrupted: what a job
 * is still to bring in line is left out.
 */
export const violationsOf = (state: State): string[] => {
  const stored = new Stored(state);
  return checks.flatMap((check) => check(stored));
};
