import type { ArchiveSection } from '../../shared/exports/archive-entry.ts';
import { section as profile } from '../api/users/archive.ts';

/** What each group gives to the archive of a user's own data, in this order. Groups declare it in `archive.ts`. */
export const sections: readonly ArchiveSection[] = [profile];
