import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import type { Item } from '../../../../../functions/web/browser/client/endpoints.ts';
import { formatBytes } from '../../../../../shared/text/format-bytes.ts';
import { putFile } from '../../commands/upload.ts';
import { CliError } from '../../error-mapping.ts';
import { type Archive, type ArchivedFile, readText } from '../zip/archive-file.ts';
import { createPresent, type Present } from './present.ts';
import { type ArchivedRecord, isRecord, parseJson, toRecords, toText, toTexts } from './records.ts';
import type { Result, Tally } from './tally.ts';

type ListedFile = Item<'GET /api/files'>;

/** The most bytes of `files.json`: some 500,000 files. */
const maxListBytes = 256 * 1024 * 1024;

/** The most bytes of a file. */
const maxFileBytes = 1024 ** 3;

/** The folders and files of an archive, without its trash. */
export interface ArchivedFiles {
  readonly folders: readonly string[];
  readonly files: readonly ArchivedRecord[];
  readonly trashed: number;
}

const isTrashed = ({ deletedAt }: ArchivedRecord): boolean => deletedAt !== undefined;

/** Reads `files.json`. @throws CliError */
export const readFileList = async ({ files }: Archive): Promise<ArchivedFiles> => {
  const path = 'files.json';
  const file = files.get(path);
  const list = file ? parseJson(await readText(file, maxListBytes), path) : {};
  if (!isRecord(list)) throw new CliError(`${path} is damaged.`);
  const all = toRecords(list['files']);
  return {
    // Outer folders first.
    folders: toTexts(list['folders']).toSorted(),
    files: all.filter((one) => !isTrashed(one)),
    trashed: all.filter(isTrashed).length,
  };
};

/** Creates a folder, unless it is there. */
const ensureFolder = async (client: Client, path: string): Promise<void> => {
  const at = path.lastIndexOf('/');
  const body = { name: path.slice(at + 1), folder: at === -1 ? '' : path.slice(0, at) };
  try {
    await client.call('POST /api/files/folders', { body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    if (!error.details.some(({ message }) => message.startsWith('is already used'))) throw error;
  }
};

/** Creates the folders of an archive that the user doesn’t have. */
export const ensureFolders = async (
  client: Client,
  { folders }: ArchivedFiles,
  tally: Tally,
): Promise<void> => {
  for (const path of folders) {
    await tally.handle(path, async () => {
      await ensureFolder(client, path);
      return 'skipped';
    });
  }
};

const outline = (name: unknown, size: unknown, checksum: unknown): string =>
  JSON.stringify([name, size, checksum]);

const ownOnly = async function* (
  client: Client,
  folder: string,
  userId: number,
): AsyncGenerator<ListedFile> {
  const query = { folder: `/${folder}`, pageSize: 100 } as never;
  try {
    for await (const file of client.items('GET /api/files', { query })) {
      if (file.owner_id === userId) yield file;
    }
  } catch (error) {
    // Nothing is in a folder that isn’t there: each file that the archive has in it is refused by its name.
    if (!(error instanceof ApiError) || ![400, 404].includes(error.status)) throw error;
  }
};

/** Finds the files that the user has in a folder, by name and content. */
export const listPresentFiles = (
  client: Client,
  folder: string,
  userId: number,
): Promise<Present<ListedFile>> =>
  createPresent(
    ownOnly(client, folder, userId),
    ({ name, size, checksum }) => outline(name, size, checksum),
    async () => '',
  );

/** Calls `use` with the content of a file as a file of its own, which is deleted then: it may be larger than the memory. */
const withUnpacked = async <Value>(
  archived: ArchivedFile,
  name: string,
  use: (file: File) => Promise<Value>,
): Promise<Value> => {
  const folder = await mkdtemp(join(tmpdir(), 'handbill-'));
  try {
    const path = join(folder, 'content');
    const written = await open(path, 'wx', 0o600);
    try {
      await archived.read(async (piece) => void (await written.write(piece)));
    } finally {
      await written.close();
    }
    // Node.js 20 calls it experimental.
    process.removeAllListeners('warning');
    return await use(new File([await openAsBlob(path)], name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Imports a file, unless the user has it in the same folder. */
export const importFile = async (
  client: Client,
  archive: Archive,
  record: ArchivedRecord,
  present: Present<ListedFile>,
  tally: Tally,
): Promise<Result> => {
  const { name, folder, size, checksum, isFavorite, visibility, sharedWith } = record;
  if (await present.take(outline(name, size, checksum), '')) return 'present';
  const archived = archive.files.get(toText(record['path']));
  if (!archived) throw new CliError('The archive lacks it.');
  if (archived.size > maxFileBytes) {
    throw new CliError(`It is larger than ${formatBytes(maxFileBytes)}.`);
  }
  const { id } = await withUnpacked(archived, toText(name), (file) =>
    putFile(client, file, toText(folder)),
  );
  const isPublic = visibility === 'everyone';
  if (isFavorite === true || isPublic) {
    const body = {
      ...(isFavorite === true && { isFavorite }),
      ...(isPublic && { visibility: 'everyone' as const }),
    };
    await client.call('PUT /api/files/{id}', { params: { id }, body });
  }
  if (Array.isArray(sharedWith) && sharedWith.length > 0) {
    tally.lose('people of files', 'share them again');
  }
  return 'imported';
};
