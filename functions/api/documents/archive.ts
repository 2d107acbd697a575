import { partitionQuery } from '../../../shared/db/query.ts';
import type {
  ArchiveEntry,
  ArchiveNotes,
  ArchiveSection,
} from '../../../shared/exports/archive-entry.ts';
import { addFrontMatter } from '../../../shared/exports/archive-front-matter.ts';
import { readPages } from '../../../shared/exports/archive-pages.ts';
import { toArchiveName } from '../../../shared/exports/archive-path.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { readContent } from './content.ts';
import type { StoredDocument } from './document.ts';
import { find } from './documents.ts';
import { listPartitions } from './owned.ts';
import { loadRevision, loadRevisions } from './revisions.ts';

/** How many entries of a user's lists are read at once. */
const pageSize = 25;

/** How often a document is read that changes meanwhile. */
const maxAttempts = 3;

/** A document with its content, `null` without one. */
interface WholeDocument {
  readonly document: StoredDocument;
  readonly content: string | null;
}

/** Reads a document of an author; `undefined` if it is no longer theirs, or keeps changing. */
const readWhole = async (id: number, authorId: number): Promise<WholeDocument | undefined> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const document = await find(id);
    if (document?.authorId !== authorId) return undefined;
    const content = await readContent(document, undefined);
    if (content !== undefined) return { document, content };
  }
  return undefined;
};

/** What the front matter of a document says of its content: nothing, unless there is none. */
const describeContent = (content: string | null) => (content === null ? { content } : {});

const writeDocument = ({ document, content }: WholeDocument): ArchiveEntry => {
  const { id, title, type, folder, tags, visibility, everyoneRole, sharedWith, deletedAt } =
    document;
  const fields = {
    ...{ title, type, folder: folder ?? null, tags, visibility },
    ...{ everyoneRole: everyoneRole ?? 'reader', sharedWith, id },
    ...{ createdAt: document.createdAt, updatedAt: document.updatedAt },
    ...{ editedAt: document.edited?.at ?? document.createdAt, version: document.version },
    ...(deletedAt !== undefined && { deletedAt }),
    ...describeContent(content),
  };
  const place = deletedAt === undefined ? 'documents' : 'trash/documents';
  return {
    path: `${place}/${id}-${toArchiveName(title, 'document')}.md`,
    modifiedAt: document.updatedAt,
    content: addFrontMatter(fields, content ?? ''),
  };
};

/** Writes the former contents of a document; of those that are deleted meanwhile, nothing. */
async function* writeRevisions(
  { id, revisedAt }: StoredDocument,
  notes: ArchiveNotes,
): AsyncGenerator<ArchiveEntry> {
  for (const { version } of revisedAt === undefined ? [] : await loadRevisions(id)) {
    const path = `documents/revisions/${id}/${version}.md`;
    try {
      const { revision, content } = await loadRevision(id, version);
      const { title, writtenAt, replacedAt } = revision;
      const fields = { title, version, writtenAt, replacedAt, ...describeContent(content) };
      yield { path, modifiedAt: writtenAt, content: addFrontMatter(fields, content ?? '') };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      notes.leftOut(`${path}: it was deleted meanwhile.`);
    }
  }
}

/** A user's documents with their revisions, also those in the trash. */
export const section: ArchiveSection = {
  name: 'documents',
  async *entries({ user }, notes) {
    // One that is made public or deleted meanwhile is in two of the lists.
    const written = new Set<number>();
    for (const partition of listPartitions(user.id)) {
      for await (const items of readPages(partitionQuery(partition, false), pageSize)) {
        for (const item of items) {
          const id = item['id'] as number;
          const whole = written.has(id) ? undefined : await readWhole(id, user.id);
          if (!whole) continue;
          written.add(id);
          yield writeDocument(whole);
          yield* writeRevisions(whole.document, notes);
        }
      }
    }
  },
};
