import type { Actor } from '../../../shared/auth/actor.ts';
import { startAt } from '../../../shared/db/query.ts';
import type {
  ArchiveEntry,
  ArchiveNotes,
  ArchiveSection,
} from '../../../shared/exports/archive-entry.ts';
import { toJsonText } from '../../../shared/exports/archive-lines.ts';
import { readPages } from '../../../shared/exports/archive-pages.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { isCompressedType } from '../../../shared/share-files/compressed-types.ts';
import { getFileType } from '../../../shared/share-files/types.ts';
import { readTexts } from '../../../shared/storage/stored-text.ts';
import {
  loadManifest,
  loadRevisionManifest,
  type Manifest,
  type ManifestFile,
} from './files/manifest.ts';
import { readShareObject } from './files/objects.ts';
import { loadShare } from './reading/load.ts';
import { shareKeys } from './record/keys.ts';
import { loadRevision, loadRevisions, type StoredRevision } from './record/revisions.ts';
import type { FoundShare, Language, StoredShare } from './record/share.ts';
import { readReaderList } from './requests/reader-list.ts';
import { hasShownFiles, ShareSummary, toSummary } from './requests/schemas.ts';

/** How many entries of a user's list are read at once. */
const pageSize = 25;

/** How often a share is read that changes meanwhile. */
const maxAttempts = 3;

/** A share with its content, which only its owner gets: `null` once it is deleted. */
interface WholeShare {
  readonly found: FoundShare;
  readonly source: string | null;
  readonly manifest: Manifest | null;
}

const ignoreMissing = (error: unknown): undefined => {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
  throw error;
};

/** Reads a share of an owner; `undefined` if it is no longer theirs, or keeps changing. */
const readWhole = async (id: string, ownerId: number): Promise<WholeShare | undefined> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await loadShare(id).catch(ignoreMissing);
    if (found?.share.ownerId !== ownerId) return undefined;
    const { texts, files } = found.share;
    if (!texts) return { found, source: null, manifest: null };
    const [read, manifest] = await Promise.all([
      readTexts(shareKeys.content.at({ id }), texts, ['source']),
      files ? loadManifest(id, files) : null,
    ]);
    if (read?.source !== undefined && manifest !== undefined) {
      return { found, source: read.source, manifest };
    }
  }
  return undefined;
};

const endings: Readonly<Record<Language, string>> = { html: 'html', markdown: 'md' };

/** Returns the ending of a source: that of a sealed share is an envelope, which no editor shows. */
const getEnding = (language: Language, { sealed }: StoredShare): string =>
  sealed ? 'sealed' : endings[language];

const isCompressed = (path: string): boolean => isCompressedType(getFileType(path));

const toListed = ({ path, size, sha256 }: ManifestFile) => ({ path, size, sha256 });

/** A share that is being written, and what of it could not be read. */
interface Writing {
  readonly share: WholeShare;
  readonly folder: string;
  readonly notes: ArchiveNotes;
}

/** Writes the files of a share; its main page, which is its source, is among them. */
async function* writeFiles(
  { share: { found, source }, folder, notes }: Writing,
  { files }: Manifest,
): AsyncGenerator<ArchiveEntry> {
  for (const { path, object } of files) {
    const content = object === undefined ? source : await readShareObject(found.share.id, object);
    if (content == null) notes.leftOut(`${folder}/files/${path}: it was replaced meanwhile.`);
    else yield { path: `${folder}/files/${path}`, isCompressed: isCompressed(path), content };
  }
}

/** Writes what only revisions have: each file once, by its SHA-256. */
async function* writeFormerFiles(
  { share: { found, manifest }, folder, notes }: Writing,
  paths: ReadonlyMap<string, string>,
): AsyncGenerator<ArchiveEntry> {
  for (const { sha256, object } of manifest?.former ?? []) {
    const named = paths.get(sha256);
    if (named === undefined) continue;
    const path = `${folder}/revisions/files/${sha256}${/\.[^./]{1,16}$/.exec(named)?.[0] ?? ''}`;
    const content = await readShareObject(found.share.id, object);
    if (content) yield { path, isCompressed: isCompressed(named), content };
    else notes.leftOut(`${path}: it was deleted meanwhile.`);
  }
}

/** What `share.json` says of a revision. */
const describeRevision = (
  { version, replacedAt, language }: StoredRevision,
  manifest: Manifest | undefined,
) => ({
  ...{ version, replacedAt, language },
  ...(manifest && { main: manifest.main, files: manifest.files.map(toListed) }),
});

/** Writes the revisions of a share, and returns what `share.json` says of them. */
async function* writeRevisions(writing: Writing) {
  const { share } = writing.share.found;
  const { id, hasRevisions } = share;
  const described: ReturnType<typeof describeRevision>[] = [];
  const paths = new Map<string, string>();
  for (const revision of hasRevisions ? await loadRevisions(id) : []) {
    const { version, files, language, replacedAt } = revision;
    const opened = await loadRevision(id, version, () => true).catch(ignoreMissing);
    const manifest = files && (await loadRevisionManifest(id, version, files));
    if (!opened) continue;
    for (const { sha256, path } of manifest?.files ?? []) paths.set(sha256, path);
    described.push(describeRevision(revision, manifest));
    yield {
      path: `${writing.folder}/revisions/${version}.${getEnding(language, share)}`,
      modifiedAt: replacedAt,
      content: opened.source,
    };
  }
  yield* writeFormerFiles(writing, paths);
  return described;
}

async function* writeShare(
  actor: Actor,
  share: WholeShare,
  folder: string,
  notes: ArchiveNotes,
): AsyncGenerator<ArchiveEntry> {
  const { found, source, manifest } = share;
  const { language, updatedAt: modifiedAt } = found.share;
  const writing = { share, folder, notes };
  // A page that had files once is a text again.
  const shown = hasShownFiles(found.share) ? manifest : null;
  const content = source === null || shown ? null : `content.${getEnding(language, found.share)}`;
  if (content !== null && source !== null) {
    yield { path: `${folder}/${content}`, modifiedAt, content: source };
  }
  if (shown) yield* writeFiles(writing, shown);
  const revisions = yield* writeRevisions(writing);
  const people = await readReaderList(actor, found.share);
  const described = {
    ...ShareSummary.parse(toSummary(found)),
    ...(people && {
      readerList: people.map(({ avatar, ...person }) => person),
    }),
    content,
    ...(shown && { main: shown.main, files: shown.files.map(toListed) }),
    revisions,
  };
  yield { path: `${folder}/share.json`, modifiedAt, content: toJsonText(described) };
}

/** A user's shares with content, files and revisions. Neither passwords nor the links of recipients are stored so that they can be told. */
export const section: ArchiveSection = {
  name: 'shares',
  async *entries(owner, notes) {
    const ownerId = owner.user.id;
    const query = startAt(shareKeys.byOwner.prefix({ ownerId }));
    const taken = new Set<string>();
    for await (const items of readPages(query, pageSize)) {
      for (const item of items) {
        const share = await readWhole(String(item['id']), ownerId);
        if (!share) continue;
        const { slug, id } = share.found.share;
        // A name can move to another share meanwhile.
        const folder = `shares/${slug === undefined || taken.has(slug) ? id : slug}`;
        if (slug !== undefined) taken.add(slug);
        yield* writeShare(owner, share, folder, notes);
      }
    }
  },
};
