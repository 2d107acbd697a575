import { assertHasOwner, readAuthor } from '../record/owner.ts';
import {
  findRevision,
  listStoredRevisions,
  type OpenedRevision,
  type StoredRevision,
} from '../record/revisions.ts';
import {
  assertOpen,
  endedError,
  getEnd,
  isTombstoneExpired,
  notFound,
  type StoredShare,
} from '../record/share.ts';
import { resolveShareId } from '../record/slugs.ts';
import { compareTexts, type TextDiff } from './diff.ts';
import { type ReadShare, read, readText } from './reading.ts';

/** Whether readers can see the revisions: only where the current content needs no password and no counted view. */
const areVisibleToReaders = ({ showsRevisions, password, viewLimit }: StoredShare): boolean =>
  showsRevisions === true && password === undefined && viewLimit === undefined;

/** Who asks for revisions: the id of a signed-in user, and whether they can see those of a share in any case. */
export interface RevisionReader {
  readonly userId: number | undefined;
  readonly canEdit: (share: StoredShare) => boolean;
}

/**
 * Reads a share whose revisions somebody can see: its owner, moderators, and readers if the owner says so.
 * @throws AppError NOT_FOUND; GONE if its content is deleted, and for readers as soon as it can't be read
 */
export const readRevised = async (
  { userId, canEdit }: RevisionReader,
  idOrSlug: string,
): Promise<ReadShare> => {
  const found = await read(await resolveShareId(idOrSlug));
  const { share } = found;
  if (isTombstoneExpired(getEnd(found))) throw notFound();
  if (canEdit(share)) {
    await assertHasOwner(share, userId);
  } else {
    if (!areVisibleToReaders(share)) throw notFound();
    assertOpen(found);
    await readAuthor(share);
  }
  if (!share.texts) throw endedError();
  return found;
};

/** Lists the revisions of a share, the newest first. */
export const listRevisions = ({ share }: ReadShare): Promise<readonly StoredRevision[]> =>
  share.hasRevisions ? listStoredRevisions(share.id) : Promise.resolve([]);

/**
 * Reads a revision with its source.
 * @throws AppError NOT_FOUND if the share has no such revision, or no longer
 */
export const openRevision = ({ share }: ReadShare, version: number): Promise<OpenedRevision> =>
  findRevision(share.id, version);

/**
 * Compares a revision with another, or with the current content.
 * @throws AppError NOT_FOUND if the share has no such revision
 */
export const compareRevisions = async (
  found: ReadShare,
  from: number,
  to: number | undefined,
): Promise<TextDiff> => {
  const [before, after] = await Promise.all([
    openRevision(found, from),
    to === undefined ? readText(found, 'source') : openRevision(found, to),
  ]);
  const names = [`revision ${from}`, to === undefined ? 'current' : `revision ${to}`] as const;
  return compareTexts(names, before.source, typeof after === 'string' ? after : after.source);
};
