import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { countSteps } from '../../../../shared/counters/counter.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { findFrontTitle } from '../../../../shared/markdown/page/title.ts';
import { storeTexts, type Texts } from '../../../../shared/storage/stored-text.ts';
import { getMembersSince, receivedWrites } from '../received/entries.ts';
import { auditCreated } from '../record/audit.ts';
import { countPublished, narrow } from '../record/ceiling.ts';
import { getCounts, refuseSuspended } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import { type AskedOptions, toStoredOptions } from '../record/options.ts';
import type { Language, StoredShare } from '../record/share.ts';
import { generatePassword, hashPassword } from '../record/share-password.ts';
import { assertNotReserved, createShareId, slugTaken, takeSlug } from '../record/slugs.ts';
import { assertEmbeddable, chooseAudience, getWidest, toStoredAudience } from './audience.ts';
import { createShareWrites } from './new-share.ts';
import { findContentTitle, toTexts } from './texts.ts';

/** The input of a new share. */
export interface NewShare extends AskedOptions {
  readonly content: string;
  readonly language: Language;
  /** The title unless the content has front matter with one. */
  readonly fileTitle?: string | undefined;
  /** ms since 1970. */
  readonly expiresAt?: number | undefined;
  readonly password?: string | undefined;
  readonly useRandomPassword: boolean;
}

/** Returns the title to store: the given one, or that of a file, unless the front matter has one. */
const chooseTitle = ({ title, fileTitle }: NewShare, { page = '' }: Texts) =>
  title ?? (findFrontTitle(page) === undefined ? fileTitle : undefined);

/**
 * Creates a share with its access item, texts and list entries in one transaction (decisions.md#new-shares). Returns a
 * generated password, which is not stored in plain text.
 * @throws AppError as `toTexts` and `chooseAudience`; FORBIDDEN above the ceiling of an API token; CONFLICT for a taken or reserved slug;
 *   UNAUTHORIZED if the owner was suspended concurrently
 */
export const create = async (
  actor: Actor,
  asked: NewShare,
  recorder: ChangeRecorder,
): Promise<{ readonly share: StoredShare; readonly generatedPassword: string | undefined }> => {
  const ownerId = actor.user.id;
  const audience = chooseAudience(actor, asked);
  assertEmbeddable(asked);
  const input = narrow(actor, asked, getWidest(audience, asked));
  const { language, slug, expiresAt } = input;
  await assertNotReserved(slug, ownerId);
  const [texts, { audienceId, ...opensTo }] = await Promise.all([
    toTexts(language, input.content),
    toStoredAudience(actor, ownerId, asked, audience),
  ]);
  const contentTitle = findContentTitle(texts);
  const generatedPassword = input.useRandomPassword ? generatePassword() : undefined;
  const password = generatedPassword ?? input.password;
  const id = createShareId();
  const { ref, write } = await storeTexts(shareKeys.content.at({ id }), texts, {
    inRecord: true,
  });
  const now = new Date().toISOString();
  const membersSince = getMembersSince(opensTo, now);
  const share: StoredShare = {
    id,
    ownerId,
    language,
    ...toStoredOptions({
      ...input,
      title: chooseTitle(input, texts),
      audience: opensTo.audience,
      readers: opensTo.readers,
    }),
    ...(audienceId !== undefined && { audienceId, hasReceipts: true }),
    ...(contentTitle !== undefined && { contentTitle }),
    ...(password !== undefined && { password: await hashPassword(password) }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(membersSince !== undefined && { membersSince }),
    createdAt: now,
    updatedAt: now,
    version: 1,
    texts: ref,
  };
  const refused = await transact([
    takeSlug(share),
    ...createShareWrites(share, write),
    ...receivedWrites(undefined, share),
    ...countSteps([], getCounts(share), refuseSuspended),
    countPublished(actor),
    ...recorder.steps(auditCreated(share)),
  ]);
  if (refused) throw await slugTaken(share);
  return { share, generatedPassword };
};
