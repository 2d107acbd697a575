import type { Write } from '../../../../shared/db/transaction.ts';
import { removeTexts, storeTexts, type TextsRef } from '../../../../shared/storage/stored-text.ts';
import { type Manifest, storeRevisionManifest } from '../files/manifest.ts';
import { haveSameFiles } from '../files/merge.ts';
import { isRestricted } from '../reading/access.ts';
import type { ReadableShare } from '../reading/admission.ts';
import { shareKeys } from '../record/keys.ts';
import { keepRevision } from '../record/revisions.ts';
import type { SealedInfo } from '../record/sealed.ts';
import type { Language, StoredFiles, StoredShare } from '../record/share.ts';
import { readUpload, type UsedUpload } from '../uploads/use.ts';
import { type AskedFiles, chooseContent } from './chosen-files.ts';
import { type PreparedContent, prepareContent } from './prepared-files.ts';
import { prepareSealed, type SentEnvelope, toSealedInfo } from './sealed.ts';
import { storeFiles } from './stored-files.ts';
import { findContentTitle, toTexts } from './texts.ts';

/** What a change asks of the content of a share: absent stays. */
export interface ContentChange {
  readonly content?: string | undefined;
  readonly language?: Language | undefined;
  readonly files?: AskedFiles | undefined;
  /** What the content says of itself, if it is an envelope. */
  readonly envelope?: SentEnvelope | undefined;
}

/** Content that differs from what the share has, and that. */
interface ChangedContent {
  readonly before: { readonly source: string; readonly manifest: Manifest | undefined };
  readonly content: PreparedContent;
  readonly upload?: UsedUpload | undefined;
}

/** What is written for the content of a share, once its transaction is. */
export interface ContentWrites {
  /** Of the share that it replaces. */
  readonly version: number;
  readonly fields: {
    readonly language: Language;
    readonly texts: TextsRef | undefined;
    readonly files: StoredFiles | undefined;
    readonly contentTitle: string | undefined;
    readonly hasRevisions: true | undefined;
    readonly sealed: SealedInfo | undefined;
  };
  readonly writes: readonly (Write | undefined)[];
  readonly upload?: UsedUpload | undefined;
  readonly missing: PreparedContent['missing'];
  /** As of `storeFiles`. */
  discard(): Promise<void>;
}

/** Returns the new content, or `undefined` if it stays, of a share that has no files and gets none. */
const changeText = async (
  current: ReadableShare,
  { content, language, envelope }: ContentChange,
): Promise<ChangedContent | undefined> => {
  const { share } = current;
  const source = await current.readSent();
  const after = {
    language: envelope?.language ?? language ?? share.language,
    source: content ?? source,
  };
  if (after.language === share.language && after.source === source) return undefined;
  return {
    before: { source, manifest: undefined },
    content: { ...after, missing: [], sealed: envelope && toSealedInfo(envelope) },
  };
};

const isSame = (
  { language, source, files }: PreparedContent,
  { share, before }: { share: StoredShare; before: ChangedContent['before'] },
): boolean => {
  if (language !== share.language || source !== before.source) return false;
  if (before.manifest) return files !== undefined && haveSameFiles(before.manifest, files);
  return files?.files.length === 1 && !files.isOnly;
};

/** Returns the new content of a share with files, and whether it differs. */
const changeFiles = async (
  current: ReadableShare,
  { files: asked, content, language: askedLanguage, envelope }: ContentChange,
  actorId: number,
): Promise<ChangedContent & { readonly isChanged: boolean }> => {
  const { share } = current;
  const [source, manifest, upload] = await Promise.all([
    current.readSent(),
    current.readManifest(),
    asked?.upload == null ? undefined : readUpload(actorId, asked.upload, share.id),
  ]);
  const before = { source, manifest };
  const isOnly = share.files?.only === true;
  const former = { ...before, language: share.language, isOnly };
  const language = envelope?.language ?? askedLanguage;
  const chosen = await chooseContent({ ...asked, content, language }, upload, former);
  const prepared =
    envelope && content !== undefined
      ? await prepareSealed(share.id, chosen, { source: content, envelope })
      : await prepareContent(share.id, chosen, manifest);
  return { before, content: prepared, upload, isChanged: !isSame(prepared, { share, before }) };
};

const keepFormer = (share: StoredShare, { source, manifest }: ChangedContent['before']) =>
  keepRevision(share, {
    source,
    isRestricted: isRestricted(share),
    storeFiles: async (expiresAt) => manifest && storeRevisionManifest(share, manifest, expiresAt),
  });

const discardNothing = async (): Promise<void> => undefined;

/**
 * Stores changed content, texts and files, and what the share has until now as a revision. Returns the fields that say so, and
 * the writes that replace it; the same fields and no writes if nothing changes. `actorId` is whose upload is used.
 * @throws AppError as `toTexts`, `readUpload`, `chooseContent` and `prepareContent`
 */
export const createContentWrites = async (
  current: ReadableShare,
  change: ContentChange,
  actorId: number,
): Promise<ContentWrites> => {
  const { share } = current;
  const {
    id,
    version,
    language,
    texts: previous,
    files,
    contentTitle,
    hasRevisions,
    sealed,
  } = share;
  const same: ContentWrites = {
    version,
    fields: { language, texts: previous, files, contentTitle, hasRevisions, sealed },
    writes: [],
    missing: [],
    discard: discardNothing,
  };
  const isAsked =
    change.files !== undefined || change.content !== undefined || change.language !== undefined;
  if (!isAsked) return same;
  const hasFiles = change.files !== undefined || files !== undefined;
  const changed = hasFiles
    ? await changeFiles(current, change, actorId)
    : await changeText(current, change);
  if (!changed) return same;
  const { content, before, upload } = changed;
  const { missing } = content;
  if ('isChanged' in changed && !changed.isChanged) return { ...same, missing };
  const texts = await toTexts(content);
  const owner = shareKeys.content.at({ id });
  const [{ ref, write }, revisionWrites, stored] = await Promise.all([
    storeTexts(owner, texts, { inRecord: true }),
    keepFormer(share, before),
    storeFiles(id, content, share, before.manifest),
  ]);
  return {
    version,
    fields: {
      language: content.language,
      texts: ref,
      files: stored.files,
      contentTitle: findContentTitle(texts),
      hasRevisions: true,
      sealed: content.sealed,
    },
    writes: [
      write,
      previous && removeTexts(owner, previous, ref),
      ...stored.writes,
      ...revisionWrites,
    ],
    upload,
    missing,
    discard: stored.discard,
  };
};
