import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import type { Item } from '../../../../../functions/web/browser/client/endpoints.ts';
import { maxHtmlBytes } from '../../../../../shared/share-files/limits.ts';
import { getPageKind } from '../../../../../shared/share-files/types.ts';
import { createShare } from '../../commands/sending.ts';
import type { Shared } from '../../commands/shared.ts';
import type { FullShare } from '../../commands/shares.ts';
import { CliError } from '../../error-mapping.ts';
import { type Archive, readBytes, readText } from '../zip/archive-file.ts';
import { createPresent, type Present } from './present.ts';
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

type ListedShare = Item<'GET /api/share'>;
type Fields = Parameters<typeof createShare>[2];

/** The most bytes of `share.json`: the lists of files of all its revisions. */
const maxRecordBytes = 8 * 1024 * 1024;

/** A share of the archive. */
export interface ArchivedShare {
  readonly folder: string;
  readonly record: ArchivedRecord;
}

/** Reads the records of an archive's shares, the oldest first. @throws CliError */
export const readShares = async ({ files }: Archive): Promise<readonly ArchivedShare[]> => {
  const shares: ArchivedShare[] = [];
  for (const [path, file] of files) {
    const [, folder] = /^(shares\/[^/]+)\/share\.json$/.exec(path) ?? [];
    if (folder === undefined) continue;
    const record = parseJson(await readText(file, maxRecordBytes), path);
    if (isRecord(record)) shares.push({ folder, record });
  }
  const createdAt = ({ record }: ArchivedShare) => toText(record['createdAt']);
  return shares.sort((a, b) => (createdAt(a) < createdAt(b) ? -1 : 1));
};

const getTitle = ({ titleIsGiven, title }: ArchivedRecord | ListedShare): string =>
  titleIsGiven ? toText(title) : '';

const toOutline = (share: ArchivedRecord | ListedShare, count: number): string =>
  JSON.stringify([share['language' as never], getTitle(share), count]);

interface FileName {
  readonly path: string;
  readonly sha256: string;
}

const identifyFiles = (main: string, files: readonly FileName[]): string =>
  hash(main, ...files.map(({ path, sha256 }) => `${sha256} ${path}`).toSorted());

const identify = ({ content, files, main = '' }: FullShare): string =>
  files ? identifyFiles(main, files) : hash(content);

/** Finds the shares that the user has and others can open. */
export const listPresentShares = (client: Client): Promise<Present<ListedShare>> =>
  createPresent(
    client.items('GET /api/share', { query: { mine: 'true', status: 'active' } as never }),
    (share) => toOutline(share, share.fileTotals?.count ?? 0),
    async ({ id }) => {
      const query = { id, mine: 'true' } as const;
      return identify((await client.call('GET /api/share', { query })) as FullShare);
    },
  );

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

/** Imports a share, unless the user has it. */
export const importShare = async (
  client: Client,
  archive: Archive,
  share: ArchivedShare,
  present: Present<ListedShare>,
  tally: Tally,
): Promise<Result> => {
  const { record } = share;
  if (record['status'] === 'taken-down') {
    tally.lose('shares that were taken down');
    return 'skipped';
  }
  if (isOver(record)) {
    tally.lose('shares that have ended');
    return 'skipped';
  }
  const { count, identity, read } = await openContent(archive, share);
  if (await present.take(toOutline(record, count), identity)) return 'present';
  await create(client, await read(), toFields(record, tally), tally);
  return 'imported';
};
