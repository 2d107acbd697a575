import type { Actor } from '../../../../shared/auth/actor.ts';
import { assertHasOwner, canEdit, readAuthor } from '../record/owner.ts';
import { findRevision, listStoredRevisions, type StoredRevision } from '../record/revisions.ts';
import { assertOpen, endedError, getEnd, isTombstoneExpired, notFound } from '../record/share.ts';
import { resolveShareId } from '../record/slugs.ts';
import { areVisibleToReaders } from './access.ts';
import type { TextDiff } from './diff.ts';
import { type ReadShare, readText, readWithOwner } from './reading.ts';

/**
 * Reads a share whose revisions the actor can see: its owner, moderators, and readers if the owner says so.
 * @throws AppError NOT_FOUND; GONE if its content is deleted, and for readers as soon as it can't be read
 */
export const readRevised = async (
  actor: Actor | undefined,
  idOrSlug: string,
): Promise<ReadShare> => {
  const found = await readWithOwner(await resolveShareId(idOrSlug));
  const { share } = found;
  if (isTombstoneExpired(getEnd(found))) throw notFound();
  if (actor && canEdit(actor, share)) {
    await assertHasOwner(share, actor.user.id);
  } else {
    if (!areVisibleToReaders(share)) throw notFound();
    assertOpen(found);
    await readAuthor(found);
  }
  if (!share.texts) throw endedError();
  return found;
};

/** Lists the revisions of a share, the newest first. */
export const listRevisions = ({ share }: ReadShare): Promise<readonly StoredRevision[]> =>
  share.hasRevisions ? listStoredRevisions(share.id) : Promise.resolve([]);

/**
 * Compares a revision with another, or with the current content.
 * @throws AppError NOT_FOUND if the share has no such revision
 */
export const compareRevisions = async (
  found: ReadShare,
  from: number,
  to: number | undefined,
): Promise<TextDiff> => {
  const { id } = found.share;
  const readSource = async (version: number) => (await findRevision(id, version)).source;
  const [before, after, { compareTexts }] = await Promise.all([
    readSource(from),
    to === undefined ? readText(found, 'source') : readSource(to),
    // Loaded with the first comparison, of which there are few.
    import('./diff.ts'),
  ]);
  const names = [`revision ${from}`, to === undefined ? 'current' : `revision ${to}`] as const;
  return compareTexts(names, before, after);
};
