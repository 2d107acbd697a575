import type { Actor } from '../../../../shared/auth/actor.ts';
import type { TextDiff } from '../../../../shared/revisions/compare-texts.ts';
import { revisionNotFound } from '../../../../shared/revisions/revision-store.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import type { ContentChange } from '../changing/changed-content.ts';
import { loadRevisionManifest, type Manifest } from '../files/manifest.ts';
import { areVisibleToReaders } from '../reading/access.ts';
import { type AdmittedShare, admit } from '../reading/admission.ts';
import {
  loadRevision,
  loadRevisions,
  type OpenedRevision,
  type StoredRevision,
} from '../record/revisions.ts';
import { sealedError } from '../record/sealed.ts';
import { endedError, notFound, type StoredShare } from '../record/share.ts';

/**
 * Admits an actor to the revisions of a share: its owner, moderators, and readers if the owner says so. `isCompared` says
 * whether the current content is read next.
 * @throws AppError NOT_FOUND; GONE if its content is deleted, and for readers as soon as it can't be read
 */
export const admitToRevisions = async (
  actor: Actor | undefined,
  idOrSlug: string,
  isCompared = false,
): Promise<AdmittedShare> => {
  const next = isCompared ? 'source' : 'nothing';
  const admission = await admit(
    idOrSlug,
    { actor, asEditor: true },
    { next, isWithoutLinks: true },
  );
  const { share, reading } = admission;
  if (reading === undefined || (reading !== 'editor' && !areVisibleToReaders(share))) {
    throw notFound();
  }
  if (!share.texts) throw endedError();
  return admission;
};

/** Whether those who were admitted can see a revision (decisions.md#revisions). */
const canSee =
  ({ reading }: AdmittedShare) =>
  ({ isRestricted }: StoredRevision): boolean =>
    reading === 'editor' || !isRestricted;

/** Lists the revisions of a share that its reader can see, the newest first. */
export const listRevisions = async (
  admitted: AdmittedShare,
): Promise<readonly StoredRevision[]> => {
  const { id, hasRevisions } = admitted.share;
  return hasRevisions ? (await loadRevisions(id)).filter(canSee(admitted)) : [];
};

/**
 * Reads a revision with its source.
 * @throws AppError NOT_FOUND if the share has none with this version that its reader can see
 */
export const readRevision = (admitted: AdmittedShare, version: number): Promise<OpenedRevision> =>
  loadRevision(admitted.share.id, version, canSee(admitted));

/**
 * Reads the list of a revision’s files; `undefined` if it had none.
 * @throws AppError NOT_FOUND if the revision was deleted meanwhile
 */
export const readRevisionFiles = async (
  id: string,
  { version, files }: StoredRevision,
): Promise<Manifest | undefined> => {
  if (!files) return undefined;
  const manifest = await loadRevisionManifest(id, version, files);
  if (!manifest) throw revisionNotFound();
  return manifest;
};

/** Creates the error of a revision with files that are no longer kept. */
const filesLost = (paths: string) =>
  new AppError('CONFLICT', `Files of this revision are no longer kept: ${paths}.`);

/** A revision may have been sealed with another key than the share has by now. */
const notRestorable = () =>
  new AppError(
    'UNPROCESSABLE',
    'Revisions of a sealed share can’t be restored. Read this one, and save it with the proof of its key.',
  );

/**
 * Returns the change that makes a revision the content again.
 * @throws AppError as `loadRevision` and `readRevisionFiles`; UNPROCESSABLE of a sealed share
 */
export const restoreRevision = async (
  { id, files, sealed }: StoredShare,
  version: number,
): Promise<ContentChange> => {
  if (sealed) throw notRestorable();
  // Who can change a share sees all of them.
  const { revision, source } = await loadRevision(id, version, () => true);
  const { language } = revision;
  const manifest = await readRevisionFiles(id, revision);
  if (!manifest) {
    return { content: source, language, ...(files && { files: { files: null } }) };
  }
  // A share that is its one file has no text but what is made of it.
  return revision.files?.only
    ? { files: { files: manifest.files, isOnly: true, lost: filesLost } }
    : {
        content: source,
        language,
        files: { files: manifest.files, main: manifest.main, lost: filesLost },
      };
};

/**
 * Compares a revision with another, or with the current content.
 * @throws AppError as `readRevision`; UNPROCESSABLE of a sealed share
 */
export const compareRevisions = async (
  admitted: AdmittedShare,
  from: number,
  to: number | undefined,
): Promise<TextDiff> => {
  if (admitted.share.sealed) throw sealedError();
  const readSource = async (version: number) => (await readRevision(admitted, version)).source;
  const [before, after, { compareTexts }] = await Promise.all([
    readSource(from),
    to === undefined ? admitted.readText('source') : readSource(to),
    // Loaded with the first comparison, of which there are few.
    import('../../../../shared/revisions/compare-texts.ts'),
  ]);
  const names = [`revision ${from}`, to === undefined ? 'current' : `revision ${to}`] as const;
  return compareTexts(names, before, after);
};
