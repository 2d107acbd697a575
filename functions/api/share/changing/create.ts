import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { type CountChange, countSteps } from '../../../../shared/counters/counter.ts';
import { assertAge, limitExpiry } from '../../../../shared/input/share-age.ts';
import { findFrontTitle } from '../../../../shared/markdown/page/title.ts';
import { quotaExceededError, toUsage } from '../../../../shared/storage/quota.ts';
import { storeTexts, type Texts } from '../../../../shared/storage/stored-text.ts';
import { requireQuota } from '../../../../shared/storage/usage.ts';
import { getMembersSince, receivedWrites } from '../received/entries.ts';
import { auditCreated } from '../record/audit.ts';
import { countPublished, narrow } from '../record/ceiling.ts';
import { getCounts, refuseSuspended } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import { type AskedOptions, toStoredOptions } from '../record/options.ts';
import type { Language, StoredShare } from '../record/share.ts';
import { generatePassword, hashPassword } from '../record/share-password.ts';
import { assertNotReserved, createShareId, slugTaken, takeSlug } from '../record/slugs.ts';
import {
  countUsed,
  endUploadStep,
  readUpload,
  type UsedUpload,
  uploadChanged,
} from '../uploads/use.ts';
import { assertEmbeddable, chooseAudience, getWidest, toStoredAudience } from './audience.ts';
import { type AskedFiles, chooseContent } from './chosen-files.ts';
import { findFilesTitle } from './files-title.ts';
import { createShareWrites } from './new-share.ts';
import { readOwnFile } from './own-file.ts';
import { type PreparedContent, prepareContent } from './prepared-files.ts';
import { prepareSealed, readNewSeal, type SentEnvelope, toSealedInfo } from './sealed.ts';
import { storeFiles, transactOrDiscard } from './stored-files.ts';
import { findContentTitle, toTexts } from './texts.ts';

/** The input of a new share: content, files, or both. */
export interface NewShare extends AskedOptions {
  readonly content?: string | undefined;
  readonly language?: Language | undefined;
  readonly files?: AskedFiles | undefined;
  /** The id of a stored file of the author, whose copy is the content. */
  readonly ownFile?: number | undefined;
  /** The encoding that the content was read in, unless it is UTF-8. */
  readonly readAs?: string | undefined;
  /** The title unless the content has front matter with one. */
  readonly fileTitle?: string | undefined;
  /** ms since 1970. */
  readonly expiresAt?: number | undefined;
  readonly password?: string | undefined;
  readonly useRandomPassword: boolean;
  /** Whether the content is an envelope, and the proof of its key. */
  readonly sealed?: boolean | undefined;
  readonly proof?: string | undefined;
}

/** Returns the title to store: the given one, or that of a file, unless the front matter has one. */
const chooseTitle = (
  { title, fileTitle, files }: NewShare,
  content: PreparedContent,
  { page = '' }: Texts,
) => {
  if (title != null || content.sealed || findFrontTitle(page) !== undefined) return title;
  return fileTitle ?? findFilesTitle(files?.sent, content);
};

/** Returns the content of a new share, and the upload that it uses up. */
const readNewContent = async (
  ownerId: number,
  { content: source = '', language, files, readAs }: NewShare,
  envelope: SentEnvelope | undefined,
): Promise<{
  readonly id: string;
  readonly content: PreparedContent;
  readonly upload?: UsedUpload | undefined;
}> => {
  if (!files && !envelope) {
    const content = { language: language ?? 'html', source, missing: [], readAs };
    return { id: createShareId(), content };
  }
  const upload = files?.upload == null ? undefined : await readUpload(ownerId, files.upload);
  const id = upload?.upload.shareId ?? createShareId();
  const kind = envelope?.language ?? language;
  const asked = { ...files, content: source === '' ? undefined : source, language: kind };
  const chosen = await chooseContent(asked, upload);
  const content = await (envelope
    ? prepareSealed(id, chosen, { source, envelope })
    : prepareContent(id, chosen));
  return { id, content, upload };
};

/** Refuses a share for an owner who was suspended concurrently, or whose storage is full. */
const guardCounts = (change: CountChange) => refuseSuspended(change) ?? requireQuota(change);

/** A new share, and what its author is told. */
export interface Created {
  readonly share: StoredShare;
  /** Not stored in plain text. */
  readonly generatedPassword: string | undefined;
  readonly missing: PreparedContent['missing'];
  readonly readAs: string | undefined;
}

/**
 * Creates a share with its access item, texts, files and list entries in one transaction (decisions.md#new-shares). An upload
 * that it has files of is used up.
 * @throws AppError as `toTexts`, `readNewSeal`, `readOwnFile`, `chooseAudience`, `assertAge`, `readUpload`, `chooseContent` and `prepareContent`; FORBIDDEN above the ceiling
 *   of an API token; CONFLICT for a taken or reserved slug, or an upload that was used concurrently; PAYLOAD_TOO_LARGE beyond
 *   the quota; UNAUTHORIZED if the owner was suspended concurrently
 */
export const create = async (
  actor: Actor,
  request: NewShare,
  recorder: ChangeRecorder,
): Promise<Created> => {
  const ownerId = actor.user.id;
  const audience = chooseAudience(actor, request);
  assertEmbeddable(request);
  const seal = readNewSeal(request);
  const { ownFile } = request;
  const ofFile = ownFile === undefined ? undefined : await readOwnFile(actor, ownFile);
  const asked = { ...request, ...ofFile };
  const createdAt = Date.now();
  assertAge(asked.expiresAt, createdAt);
  const input = narrow(actor, asked, getWidest(audience, asked));
  const { slug } = input;
  const expiresAt = limitExpiry(input.expiresAt, createdAt);
  await assertNotReserved(slug, ownerId);
  const [{ id, content, upload }, { audienceId, ...opensTo }] = await Promise.all([
    readNewContent(ownerId, asked, seal?.envelope),
    toStoredAudience(actor, ownerId, asked, audience),
  ]);
  const texts = await toTexts(content);
  const contentTitle = findContentTitle(texts);
  const generatedPassword = input.useRandomPassword ? generatePassword() : undefined;
  const password = generatedPassword ?? input.password;
  const [{ ref, write }, { files, writes, discard }] = await Promise.all([
    storeTexts(shareKeys.content.at({ id }), texts, { inRecord: true }),
    storeFiles(id, content),
  ]);
  const now = new Date().toISOString();
  const membersSince = getMembersSince(opensTo, now);
  const share: StoredShare = {
    id,
    ownerId,
    language: content.language,
    ...toStoredOptions({
      ...input,
      title: chooseTitle(input, content, texts),
      audience: opensTo.audience,
      readers: opensTo.readers,
    }),
    ...(audienceId !== undefined && { audienceId, hasReceipts: true }),
    ...(contentTitle !== undefined && { contentTitle }),
    ...(password !== undefined && { password: await hashPassword(password) }),
    ...(seal && { password: seal.proof, sealed: toSealedInfo(seal.envelope) }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(membersSince !== undefined && { membersSince }),
    createdAt: now,
    updatedAt: now,
    version: 1,
    texts: ref,
    ...(files && { files }),
  };
  const steps = [
    takeSlug(share),
    upload && endUploadStep(upload.upload),
    ...createShareWrites(share, write),
    ...writes,
    ...receivedWrites(undefined, share),
    ...countSteps(countUsed(upload), getCounts(share), guardCounts),
    countPublished(actor),
    ...recorder.steps(auditCreated(share)),
  ];
  const refused = await transactOrDiscard(steps, discard);
  if (refused?.by === 'upload') throw uploadChanged();
  if (refused?.by === 'quota') {
    throw quotaExceededError(toUsage(refused.item), files?.bytes ?? 0, 'files');
  }
  if (refused) throw await slugTaken(share);
  return { share, generatedPassword, missing: content.missing, readAs: content.readAs };
};
