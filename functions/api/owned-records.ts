import type { OwnedRecords } from '../../shared/users/owned-records.ts';
import { owned as calendar } from './calendar/events/owned.ts';
import { owned as documents } from './documents/owned.ts';
import { owned as files } from './files/owned.ts';
import { owned as messages } from './messages/owned.ts';
import { owned as share } from './share/owned.ts';
import { owned as exports } from './users/exports/owned.ts';
import { owned as webhooks } from './webhooks/owned.ts';

/** What each group does with the records of a removed or suspended user. Groups declare it in `owned.ts`. */
export const ownedRecords: readonly OwnedRecords[] = [
  share,
  documents,
  files,
  calendar,
  messages,
  webhooks,
  exports,
];
