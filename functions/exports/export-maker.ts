import type { Actor } from '../../shared/auth/actor.ts';
import { toOwnUser } from '../../shared/auth/user.ts';
import type { ArchiveEntry } from '../../shared/exports/archive-entry.ts';
import type { ExportMaker, ExportNotes } from '../../shared/exports/export-maker.ts';
import { writeZip } from '../../shared/exports/zip/write-zip.ts';
import { getSetting } from '../../shared/runtime/settings.ts';
import { readmeText } from './readme-text.ts';
import { sections } from './sections.ts';

/** Changes when what is in an archive, or where, changes in a way that its readers must know. */
const formatVersion = 1;

const toManifest = (
  { user, roles }: Actor,
  exportedAt: string,
  counts: Readonly<Record<string, number>>,
  leftOut: readonly string[],
): string => {
  const { id, email, name } = toOwnUser(user, roles);
  const manifest = {
    format: 'handbill-export',
    version: formatVersion,
    service: getSetting('PUBLIC_URL'),
    user: { id, email, name },
    exportedAt,
    counts,
    leftOut,
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
};

/** Lists the files of a user's archive. The one that says what is in it comes last, when that is known. */
async function* listEntries(
  owner: Actor,
  exportedAt: string,
  notes: ExportNotes,
): AsyncGenerator<ArchiveEntry> {
  const counts: Record<string, number> = {};
  const leftOut: string[] = [];
  const noted = {
    leftOut: (text: string) => {
      leftOut.push(text);
      notes.leftOut(text);
    },
  };
  yield { path: 'README.txt', content: readmeText, modifiedAt: exportedAt };
  for (const { name, entries } of sections) {
    let count = 0;
    for await (const entry of entries(owner, noted)) {
      count += 1;
      notes.count(1);
      yield entry;
    }
    counts[name] = count;
  }
  const content = toManifest(owner, exportedAt, counts, leftOut);
  yield { path: 'handbill.json', content, modifiedAt: exportedAt };
}

/** All of a user's own data, as a ZIP file. */
export const maker: ExportMaker = {
  kind: 'own-data',
  make: (owner, _order, notes) => writeZip(listEntries(owner, new Date().toISOString(), notes)),
};
