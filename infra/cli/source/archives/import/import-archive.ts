import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import { connect } from '../../connection.ts';
import { CliError, exitCodes } from '../../error-mapping.ts';
import { interruption as signal } from '../../interruption.ts';
import { note } from '../../terminal/output.ts';
import { type Archive, openArchive, readText } from '../zip/archive-file.ts';
import { importDocument, listDocuments, listPresentDocuments } from './import-documents.ts';
import { importEvent, listPresentEvents, readEvents } from './import-events.ts';
import { ensureFolders, importFile, listPresentFiles, readFileList } from './import-files.ts';
import { importShare, listShares } from './import-shares.ts';
import { createPatientClient } from './patient-client.ts';
import { listPresentShares } from './present-shares.ts';
import { type ArchivedRecord, isRecord, parseJson, toText } from './records.ts';
import { type Counts, createTally, describeLoss, KindRefused, type Tally } from './tally.ts';

export interface ImportOptions {
  readonly json?: true;
}

/** The version of the layout that this command reads. */
const knownVersion = 1;

/** The most bytes of `handbill.json`, which lists what was left out. */
const maxManifestBytes = 16 * 1024 * 1024;

/** @throws CliError for an archive of something else, or of a newer version */
const assertExport = async (path: string, { files }: Archive): Promise<void> => {
  const file = files.get('handbill.json');
  if (!file)
    throw new CliError(`${path} is no archive of handbill export: handbill.json is missing.`);
  const manifest = parseJson(await readText(file, maxManifestBytes), file.path);
  if (!isRecord(manifest) || manifest['format'] !== 'handbill-export') {
    throw new CliError(`${path} is no archive of handbill export.`);
  }
  if (manifest['version'] !== knownVersion) {
    throw new CliError(`${path} is of another version of Handbill: update the command.`);
  }
};

/** A user who imports an archive. */
interface Importing {
  readonly client: Client;
  readonly archive: Archive;
  readonly userId: number;
}

/** A kind of records: how many there are, and what imports them. */
interface Kind {
  readonly name: string;
  prepare(importing: Importing): Promise<{
    readonly total: number;
    /** What of the archive is left out altogether. */
    readonly leftOut?: readonly string[];
    run(tally: Tally): Promise<void>;
  }>;
}

const count = (number: number, what: string): readonly string[] =>
  number > 0 ? [describeLoss(what, number)] : [];

const shares: Kind = {
  name: 'shares',
  prepare: async ({ client, archive }) => {
    const all = await listShares(archive);
    const run = async (tally: Tally): Promise<void> => {
      const present = await listPresentShares(client);
      for (const share of all) {
        await tally.handle(share.folder, () => importShare(client, archive, share, present, tally));
      }
    };
    return { total: all.length, run };
  },
};

const countTrashed = ({ files }: Archive, kind: string): number =>
  [...files.keys()].filter((path) => path.startsWith(`trash/${kind}/`)).length;

const documents: Kind = {
  name: 'documents',
  prepare: async ({ client, archive, userId }) => {
    const all = listDocuments(archive);
    const run = async (tally: Tally): Promise<void> => {
      const present = await listPresentDocuments(client, userId);
      for (const file of all) {
        await tally.handle(file.path, () => importDocument(client, file, present, tally));
      }
    };
    const leftOut = count(countTrashed(archive, 'documents'), 'documents in the trash');
    return { total: all.length, leftOut, run };
  },
};

/** Groups files by their folders, each in the order of the archive. */
const groupByFolder = (all: readonly ArchivedRecord[]) => {
  const groups = new Map<string, ArchivedRecord[]>();
  for (const record of all) {
    const folder = toText(record['folder']);
    const group = groups.get(folder);
    if (group) group.push(record);
    else groups.set(folder, [record]);
  }
  return groups;
};

const files: Kind = {
  name: 'files',
  prepare: async ({ client, archive, userId }) => {
    const list = await readFileList(archive);
    const byFolder = groupByFolder(list.files);
    const run = async (tally: Tally): Promise<void> => {
      await ensureFolders(client, list, tally);
      for (const [folder, all] of byFolder) {
        const present = await listPresentFiles(client, folder, userId);
        for (const record of all) {
          await tally.handle(toText(record['path']), () =>
            importFile(client, archive, record, present, tally),
          );
        }
      }
    };
    return {
      total: list.files.length + list.folders.length,
      leftOut: count(list.trashed, 'files in the trash'),
      run,
    };
  },
};

const events: Kind = {
  name: 'events',
  prepare: async ({ client, archive }) => {
    const { own, others } = await readEvents(archive);
    const run = async (tally: Tally): Promise<void> => {
      const present = await listPresentEvents(client, own);
      for (const event of own) {
        await tally.handle(`calendar.json, ${toText(event['title'])}`, () =>
          importEvent(client, event, present, tally),
        );
      }
    };
    return { total: own.length, leftOut: count(others, 'events of others'), run };
  },
};

/** What an archive has of which nothing can be created again. */
const neverImported = {
  'messages.ndjson': 'Messages stay in the archive: nobody can send them again.',
  'audit.ndjson': 'The audit log stays in the archive: it says what happened there.',
} as const;

/** Tells what could not be kept. */
const tellLost = ({ files }: Archive, lost: readonly string[]): void => {
  for (const [path, text] of Object.entries(neverImported)) {
    if ((files.get(path)?.size ?? 0) > 0) note(text);
  }
  for (const one of lost) note(`Not kept: ${one}.`);
  note('Times, views, revisions and links of recipients are in the archive alone.');
};

/** Whether a kind of records can’t be imported, and others can: its list is damaged, or a permission is missing. */
const isAboutKind = (error: unknown): error is Error =>
  error instanceof KindRefused ||
  (error instanceof CliError && error.exitCode === exitCodes.refused) ||
  (error instanceof ApiError && error.code === 'FORBIDDEN');

const importKind = async (importing: Importing, { name, prepare }: Kind) => {
  const lost: string[] = [];
  let tally: Tally | undefined;
  let isRefused = false;
  try {
    const { total, leftOut = [], run } = await prepare(importing);
    lost.push(...leftOut);
    tally = await createTally(name, total);
    if (total > 0) await run(tally);
  } catch (error) {
    signal.throwIfAborted();
    if (!isAboutKind(error)) throw error;
    isRefused = true;
    note(`${name}: ${error.message}`);
  } finally {
    tally?.finish();
  }
  const { counts, lost: others } = tally?.finish() ?? { counts: noCounts, lost: [] };
  return { name, counts, lost: [...lost, ...others], isRefused };
};

const noCounts: Counts = { imported: 0, present: 0, refused: 0 };

const describe = (name: string, { imported, present, refused }: Counts): string => {
  const refusals = refused > 0 ? `, ${refused} refused` : '';
  return `${name}: ${imported} imported, ${present} already there${refusals}`;
};

/**
 * Creates what an archive has and the user doesn't. What is there is compared by its content, so it can be run again, whatever
 * ended it before (decisions.md#archives).
 * @throws ApiError; CliError, also if the service has refused something; the reason of the interruption
 */
export const importArchive = async (path: string, { json }: ImportOptions): Promise<string> => {
  const archive = await openArchive(path);
  try {
    await assertExport(path, archive);
    const client = createPatientClient(await connect());
    const { id: userId } = await client.call('GET /api/auth/me');
    const results = [];
    try {
      for (const kind of [shares, documents, files, events]) {
        results.push(await importKind({ client, archive, userId }, kind));
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof CliError)) {
        const reason = signal.aborted ? 'It was interrupted' : 'Not all was imported';
        note(`${reason}: run handbill import again, and it goes on.`);
      }
      throw error;
    }
    tellLost(
      archive,
      results.flatMap(({ lost }) => lost),
    );
    const refused = results.filter(({ counts, isRefused }) => isRefused || counts.refused > 0);
    const text = json
      ? JSON.stringify(
          Object.fromEntries(results.map(({ name, counts }) => [name, counts])),
          undefined,
          2,
        )
      : results.map(({ name, counts }) => describe(name, counts)).join('\n');
    if (refused.length === 0) return text;
    process.stdout.write(`${text}\n`);
    throw new CliError('The service has refused what is named above.');
  } finally {
    await archive.close();
  }
};
