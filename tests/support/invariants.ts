import { ofEvents } from './invariants/calendar.ts';
import { ofDocuments } from './invariants/documents.ts';
import { ofFiles } from './invariants/files.ts';
import { ofMessages } from './invariants/messages.ts';
import { ofNotifications } from './invariants/notifications.ts';
import { ofObjects } from './invariants/objects.ts';
import { ofSales } from './invariants/sales.ts';
import { ofShares } from './invariants/shares.ts';
import { Stored } from './invariants/stored.ts';
import { ofAudit, ofCheckins, ofUsers } from './invariants/users.ts';
import type { State } from './state.ts';

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
