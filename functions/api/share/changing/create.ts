import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { countSteps } from '../../../../shared/counters/counter.ts';
import { createItemWrite, transact } from '../../../../shared/db/transaction.ts';
import * as markdown from '../../../../shared/markdown/markdown.ts';
import { findFrontTitle, findTitle } from '../../../../shared/markdown/page/title.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { storeTexts, type Texts } from '../../../../shared/storage/stored-text.ts';
import { getMembersSince, receivedWrites } from '../received/entries.ts';
import { createAccessWrite } from '../record/access-state.ts';
import { auditCreated } from '../record/audit.ts';
import { countPublished, narrow } from '../record/ceiling.ts';
import { getCounts, refuseSuspended } from '../record/counters.ts';
import { scheduleEnd } from '../record/expiry-schedule.ts';
import { shareKeys } from '../record/keys.ts';
import { addToListsWrite } from '../record/list-entry.ts';
import { type AskedOptions, toStoredOptions } from '../record/options.ts';
import type { Language, StoredShare } from '../record/share.ts';
import { generatePassword, hashPassword } from '../record/share-password.ts';
import { assertNotReserved, createShareId, slugTaken, takeSlug } from '../record/slugs.ts';
import { assertEmbeddable, chooseAudience, getWidest, toStoredAudience } from './audience.ts';

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

const sizeLimits: Readonly<Record<Language, { bytes: number; text: string }>> = {
  html: { bytes: 2 * 1024 * 1024, text: '2 MB' },
  markdown: { bytes: 512 * 1024, text: '512 KB' },
};

/** More CPU time than POST /api/markdown has: the content may be larger and is converted once for all readers. */
const conversionOptions = { field: 'content', cpuMs: 3_000 } as const;

/**
 * The response limit of Lambda (6 MB) minus the other fields of a share. The body is a string within JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxResponseBytes = 5.5 * 1024 * 1024;

const tooLargeError = (message: string, detail: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ field: 'content', message: detail }] });

/** Lambda would reject larger responses after the view is counted. */
const assertFitsResponse = ({ source, html }: Texts): void => {
  if (
    Buffer.byteLength(JSON.stringify(JSON.stringify({ content: source, html }))) <= maxResponseBytes
  )
    return;
  throw tooLargeError(
    'The content is too large as JSON. Shorten it, or use fewer quotes and line breaks.',
    'is too large as JSON; shorten it, or use fewer quotes, line breaks and control characters',
  );
};

/**
 * Creates the texts of a share: the source, and for Markdown the HTML of the API and of the page, rendered only here.
 * @throws AppError PAYLOAD_TOO_LARGE; UNPROCESSABLE if the Markdown is too slow to convert; VALIDATION_ERROR for lone
 *   surrogates
 */
export const toTexts = async (language: Language, content: string): Promise<Texts> => {
  const limit = sizeLimits[language];
  if (!content.isWellFormed()) throw invalidField('content', 'must be well-formed Unicode');
  if (Buffer.byteLength(content) > limit.bytes) {
    throw tooLargeError(
      `The content is larger than ${limit.text}.`,
      `must be at most ${limit.text} (UTF-8)`,
    );
  }
  const rendered = language === 'markdown' && (await markdown.render(content, conversionOptions));
  const texts = { source: content, ...rendered };
  assertFitsResponse(texts);
  return texts;
};

/** Returns the title that the texts of Markdown have by themselves. */
export const findContentTitle = ({ page }: Texts): string | undefined =>
  page === undefined ? undefined : findTitle(page);

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
    createItemWrite(shareKeys.record.at({ id }), share),
    takeSlug(share),
    createAccessWrite(share),
    scheduleEnd(share),
    addToListsWrite(share),
    ...receivedWrites(undefined, share),
    ...countSteps([], getCounts(share), refuseSuspended),
    write,
    countPublished(actor),
    ...recorder.steps(auditCreated(share)),
  ]);
  if (refused) throw await slugTaken(share);
  return { share, generatedPassword };
};
