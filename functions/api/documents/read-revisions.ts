import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import type { IfMatch } from '../../../shared/http/content/etag.ts';
import type { TextDiff } from '../../../shared/revisions/compare-texts.ts';
import { type Author, readPeople } from '../../../shared/users/person.ts';
import { type DocumentDetail, findEditable, readEditable, update } from './documents.ts';
import {
  loadRevision,
  loadRevisions,
  type OpenedRevision,
  type StoredRevision,
} from './revisions.ts';

/** A revision with who wrote it, `null` if that user was removed. */
export interface WrittenRevision {
  readonly revision: StoredRevision;
  readonly writer: Author | null;
}

const withWriters = async (
  actor: Actor,
  revisions: readonly StoredRevision[],
): Promise<WrittenRevision[]> => {
  const people = await readPeople(
    actor,
    revisions.map(({ by }) => by),
  );
  return revisions.map((revision) => ({
    revision,
    writer: (revision.by === undefined ? undefined : people.get(revision.by)) ?? null,
  }));
};

/**
 * Lists the revisions of a document that the actor can change, the newest first.
 * @throws AppError FORBIDDEN; NOT_FOUND
 */
export const listRevisions = async (actor: Actor, id: number): Promise<WrittenRevision[]> => {
  const { revisedAt } = await findEditable(actor, id);
  return revisedAt === undefined ? [] : withWriters(actor, await loadRevisions(id));
};

/**
 * Reads a revision of a document that the actor can change.
 * @throws AppError FORBIDDEN; NOT_FOUND
 */
export const readRevision = async (
  actor: Actor,
  id: number,
  version: number,
): Promise<WrittenRevision & OpenedRevision> => {
  await findEditable(actor, id);
  const opened = await loadRevision(id, version);
  const [{ writer } = { writer: null }] = await withWriters(actor, [opened.revision]);
  return { ...opened, writer };
};

/** A comparison of two states of a document: their texts and, if it changed, their titles. */
export interface RevisionDiff extends TextDiff {
  readonly title?: { readonly from: string; readonly to: string };
}

/**
 * Compares a revision of a document that the actor can change with another, or with the current content.
 * @throws AppError as `readRevision`
 */
export const compareRevisions = async (
  actor: Actor,
  id: number,
  from: number,
  to: number | undefined,
): Promise<RevisionDiff> => {
  const open = async (version: number) => {
    const { revision, content } = await loadRevision(id, version);
    return { title: revision.title, content };
  };
  const readCurrent = async () => {
    const { document, content } = await readEditable(actor, id);
    return { title: document.title, content };
  };
  // Nothing is said of a revision before it is clear that the actor can change the document.
  const current = to === undefined ? await readCurrent() : undefined;
  if (!current) await findEditable(actor, id);
  const [before, after, { compareTexts }] = await Promise.all([
    open(from),
    current ?? open(to ?? from),
    // Loaded with the first comparison, of which there are few.
    import('../../../shared/revisions/compare-texts.ts'),
  ]);
  const names = [`revision ${from}`, to === undefined ? 'current' : `revision ${to}`] as const;
  const isRenamed = before.title !== after.title;
  return {
    ...compareTexts(names, before.content ?? '', after.content ?? ''),
    ...(isRenamed && { title: { from: before.title, to: after.title } }),
  };
};

/**
 * Makes title and content of a revision those of its document. What they replace becomes a revision; nothing is written if
 * they are the same.
 * @throws AppError PRECONDITION_FAILED; otherwise as `readRevision`
 */
export const restoreRevision = (
  actor: Actor,
  id: number,
  version: number,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<DocumentDetail> => {
  const toEdit = async (current: DocumentDetail) => {
    const { revision, content } = await loadRevision(id, version);
    return {
      ...(revision.title !== current.document.title && { title: revision.title }),
      ...(content !== current.content && { content }),
    };
  };
  return update(actor, id, toEdit, ifMatch, recorder, { keepsFormer: true });
};
