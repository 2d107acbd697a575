import type { Actor } from '../../../../shared/auth/actor.ts';
import { findRevision, listStoredRevisions, type StoredRevision } from '../record/revisions.ts';
import { endedError, notFound } from '../record/share.ts';
import { areVisibleToReaders } from './access.ts';
import { type AdmittedShare, admit } from './admission.ts';
import type { TextDiff } from './diff.ts';

/**
 * Admits an actor to the revisions of a share: its owner, moderators, and readers if the owner says so. `isCompared` says
 * whether the current content is read next.
 * @throws AppError NOT_FOUND; GONE if its content is deleted, and for readers as soon as it can't be read
 */
export const readRevised = async (
  actor: Actor | undefined,
  idOrSlug: string,
  isCompared = false,
): Promise<AdmittedShare> => {
  const next = isCompared ? 'source' : 'nothing';
  const admission = await admit(idOrSlug, { actor, asEditor: true }, { next });
  const { share, reading } = admission;
  if (reading === undefined || (reading !== 'editor' && !areVisibleToReaders(share))) {
    throw notFound();
  }
  if (!share.texts) throw endedError();
  return admission;
};

/** Lists the revisions of a share, the newest first. */
export const listRevisions = ({ share }: AdmittedShare): Promise<readonly StoredRevision[]> =>
  share.hasRevisions ? listStoredRevisions(share.id) : Promise.resolve([]);

/**
 * Compares a revision with another, or with the current content.
 * @throws AppError NOT_FOUND if the share has no such revision
 */
export const compareRevisions = async (
  admitted: AdmittedShare,
  from: number,
  to: number | undefined,
): Promise<TextDiff> => {
  const { id } = admitted.share;
  const readSource = async (version: number) => (await findRevision(id, version)).source;
  const [before, after, { compareTexts }] = await Promise.all([
    readSource(from),
    to === undefined ? admitted.readText('source') : readSource(to),
    // Loaded with the first comparison, of which there are few.
    import('./diff.ts'),
  ]);
  const names = [`revision ${from}`, to === undefined ? 'current' : `revision ${to}`] as const;
  return compareTexts(names, before, after);
};
