import type { ArchiveSection } from '../../shared/exports/archive-entry.ts';
import { section as audit } from '../api/audit/archive.ts';
import { section as calendar } from '../api/calendar/archive.ts';
import { section as documents } from '../api/documents/archive.ts';
import { section as files } from '../api/files/archive.ts';
import { section as messages } from '../api/messages/archive.ts';
import { section as share } from '../api/share/archive.ts';
import { section as profile } from '../api/users/exports/archive.ts';

/**
 * What each group gives to the archive of a user's own data, in this order (decisions.md#archives). Groups declare it in
 * `archive.ts`.
 */
export const sections: readonly ArchiveSection[] = [
  profile,
  share,
  documents,
  files,
  messages,
  calendar,
  audit,
];
