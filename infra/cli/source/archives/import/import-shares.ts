import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import { maxFiles, maxFilesBytes, maxHtmlBytes } from '../../../../../shared/share-files/limits.ts';
import { showPath } from '../../../../../shared/share-files/paths.ts';
import { getPageKind } from '../../../../../shared/share-files/types.ts';
import { formatBytes } from '../../../../../shared/text/format-bytes.ts';
import { createShare } from '../../commands/sending.ts';
import type { Shared } from '../../commands/shared.ts';
import { CliError } from '../../error-mapping.ts';
import { interruption as signal } from '../../interruption.ts';
import { type Archive, type ArchivedFile, readBytes, readText } from '../zip/archive-file.ts';
import {
  type FileName,
  getTitle,
  identifyFiles,
  type PresentShares,
  takeEnded,
  toOutline,
} from './present-shares.ts';
import {
  type ArchivedRecord,
  hash,
  isRecord,
  parseJson,
  toRecords,
  toText,
  toTexts,
} from './records.ts';
import type { Result, Tally } from './tally.ts';

type Fields = Parameters<typeof createShare>[2];

/** The most bytes of `share.json`: the lists of files of all its revisions. */
const maxRecordBytes = 8 * 1024 * 1024;

/** A share of the archive. */
interface ArchivedShare {
  readonly folder: string;
  readonly record: ArchivedRecord;
}

/** Where the archive has a share. */
export interface ShareFolder {
  readonly folder: string;
  readonly file: ArchivedFile;
}

const readRecord = async (file: ArchivedFile): Promise<ArchivedRecord> => {
  const record = parseJson(await readText(file, maxRecordBytes), file.path);
  if (!isRecord(record)) throw new CliError(`${showPath(file.path)} is damaged.`);
  return record;
};

/** Lists the shares of an archive, the oldest first. Their records are read one by one: all together may be large. */
export const listShares = async ({ files }: Archive): Promise<readonly ShareFolder[]> => {
  const shares: (ShareFolder & { readonly createdAt: string })[] = [];
  for (const [path, file] of files) {
    const [, folder] = /^(shares\/[^/]+)\/share\.json$/.exec(path) ?? [];
    if (folder === undefined) continue;
    let createdAt = '';
    try {
      createdAt = toText((await readRecord(file))['createdAt']).slice(0, 30);
    } catch {
      // What is wrong with it is told when it is imported.
      signal.throwIfAborted();
    }
    shares.push({ folder, file, createdAt });
  }
  return shares.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
};

/** The content of a share, and what tells it apart. */
interface Content {
  readonly count: number;
  readonly identity: string;
  read(): Promise<Shared>;
}

const toFileNames = (record: ArchivedRecord): readonly FileName[] =>
  toRecords(record['files']).map(({ path, sha256 }) => ({
    path: toText(path),
    sha256: toText(sha256),
  }));

/** Checks that a share has no more than the service takes, before any of it is in memory. @throws CliError */
const checkSizes = (
  { files }: Archive,
  { folder }: ArchivedShare,
  named: readonly FileName[],
): void => {
  if (named.length > maxFiles) {
    throw new CliError(`It has ${named.length} files. A share can have ${maxFiles}.`);
  }
  const paths = new Set<string>();
  let bytes = 0;
  for (const { path } of named) {
    if (paths.has(path)) throw new CliError(`${showPath(path)} is there twice.`);
    paths.add(path);
    bytes += files.get(`${folder}/files/${path}`)?.size ?? 0;
  }
  if (bytes > maxFilesBytes) {
    const most = formatBytes(maxFilesBytes);
    throw new CliError(`Its files have ${formatBytes(bytes)}. A share can have ${most}.`);
  }
};

const openFiles = (
  { files }: Archive,
  { folder, record }: ArchivedShare,
  named: readonly FileName[],
): Content => {
  const main = toText(record['main']);
  const read = async (): Promise<Shared> => {
    const ready = [];
    for (const { path } of named) {
      const file = files.get(`${folder}/files/${path}`);
      if (!file) throw new CliError(`The archive lacks ${folder}/files/${path}.`);
      ready.push({ path, bytes: await readBytes(file, maxHtmlBytes) });
    }
    // A picture alone has no page.
    const isPage = getPageKind(main) !== undefined;
    return { files: { name: folder, files: ready, ...(isPage && { main }) } };
  };
  return { count: named.length, identity: identifyFiles(main, named), read };
};

/** Returns the path of the text that a share is; `undefined` if it has files. A page alone is a text, too. */
const findText = ({ folder, record }: ArchivedShare, named: readonly FileName[]) => {
  const [first, second] = named;
  if (!first) return `${folder}/${toText(record['content'])}`;
  const isPage = getPageKind(first.path) !== undefined;
  return isPage && !second ? `${folder}/files/${first.path}` : undefined;
};

const openContent = async (archive: Archive, share: ArchivedShare): Promise<Content> => {
  const { folder, record } = share;
  const named = toFileNames(record);
  checkSizes(archive, share, named);
  const path = findText(share, named);
  if (path === undefined) return openFiles(archive, share, named);
  const file = archive.files.get(path);
  if (!file) throw new CliError(`The archive lacks the content of ${folder}.`);
  const content = await readText(file, maxHtmlBytes);
  const language = record['language'] === 'html' ? 'html' : 'markdown';
  const read = async (): Promise<Shared> => ({ text: { content, language } });
  return { count: 0, identity: hash(content), read };
};

/** Returns who can open a share: nobody more than before, so nobody else where that can’t be said again. */
const toAudience = (record: ArchivedRecord, tally: Tally): string => {
  if (record['protected'] === true) {
    tally.lose('passwords of shares', 'they are private until you set others');
    return 'private';
  }
  if (record['audience'] === 'people') {
    tally.lose('people of shares', 'they are private until you name them');
    return 'private';
  }
  return toText(record['audience']) || 'private';
};

const toFields = (record: ArchivedRecord, tally: Tally): Fields => {
  const { slug, description, viewsLeft, expiresAt, embedOrigins } = record;
  const audience = toAudience(record, tally);
  const isSet = (value: unknown) => value !== null && value !== undefined;
  return {
    audience,
    ...(getTitle(record) !== '' && { title: getTitle(record) }),
    ...(isSet(description) && { description }),
    ...(isSet(slug) && { slug }),
    ...(isSet(viewsLeft) && { viewLimit: viewsLeft }),
    ...(isSet(expiresAt) && { expiresAt }),
    ...(record['notify'] === true && { notify: true }),
    ...(record['readersCanEnd'] === true && { readersCanEnd: true }),
    ...(record['showsRevisions'] === true && { showsRevisions: true }),
    ...(audience === 'link' && { embedOrigins: toTexts(embedOrigins) }),
  } as Fields;
};

const isAbout = (error: unknown, name: string): boolean =>
  error instanceof ApiError && error.details.some(({ field }) => field === name);

/** Creates a share, without its name if that is taken, and private if the service allows no one to open it so. */
const create = async (client: Client, shared: Shared, fields: Fields, tally: Tally) => {
  try {
    await createShare(client, shared, fields);
  } catch (error) {
    const { slug, ...others } = fields;
    if (slug !== undefined && isAbout(error, 'slug')) {
      tally.lose('names of shares in addresses', 'they are taken');
      await create(client, shared, others, tally);
    } else if (fields.audience !== 'private' && isAbout(error, 'audience')) {
      tally.lose('audiences of shares', 'the service allows no more than private');
      const { embedOrigins, ...narrow } = fields;
      await create(client, shared, { ...narrow, audience: 'private' }, tally);
    } else throw error;
  }
};

const isOver = ({ status, expiresAt, content, files }: ArchivedRecord): boolean =>
  status === 'ended' ||
  (content === null && toRecords(files).length === 0) ||
  (typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now());

/** Imports a share, unless the user has it, or had it until it ended. */
export const importShare = async (
  client: Client,
  archive: Archive,
  { folder, file }: ShareFolder,
  present: PresentShares,
  tally: Tally,
): Promise<Result> => {
  const record = await readRecord(file);
  if (record['status'] === 'taken-down') {
    tally.lose('shares that were taken down');
    return 'skipped';
  }
  if (isOver(record)) {
    tally.lose('shares that have ended');
    return 'skipped';
  }
  if (record['sealed'] === true) {
    tally.lose('sealed shares', 'the archive has neither their keys nor their proofs');
    return 'skipped';
  }
  const { count, identity, read } = await openContent(archive, { folder, record });
  if (await present.active.take(toOutline(record, count), identity)) return 'present';
  if (await takeEnded(present, record, identity)) {
    tally.lose('shares that have ended since');
    return 'present';
  }
  await create(client, await read(), toFields(record, tally), tally);
  return 'imported';
};
