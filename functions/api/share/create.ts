import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { incrementTotal } from '../../../shared/counters/total.ts';
import { createRandomId } from '../../../shared/db/ids.ts';
import { keys } from '../../../shared/db/table.ts';
import { createItemWrite, transact } from '../../../shared/db/transaction.ts';
import * as markdown from '../../../shared/markdown/markdown.ts';
import { parseWithoutExtras } from '../../../shared/markdown/without-extras.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { storeTexts, type Texts } from '../../../shared/storage/stored-text.ts';
import { createAccessWrite } from './record/access-state.ts';
import { auditCreated } from './record/audit.ts';
import { scheduleEnd } from './record/expiry-schedule.ts';
import { moveOwnCount, putOwn } from './record/own-list.ts';
import { ownerStatusCheck } from './record/owner.ts';
import type { Language, StoredShare } from './record/share.ts';
import { generatePassword, hashPassword } from './record/share-password.ts';

/** What a new share is made of. `expiresAt` is in ms since 1970. */
export interface NewShare {
  readonly content: string;
  readonly language: Language;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly viewLimit?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly password?: string | undefined;
  readonly useRandomPassword: boolean;
}

const bytesLimit: Readonly<Record<Language, { bytes: number; text: string }>> = {
  html: { bytes: 2 * 1024 * 1024, text: '2 MB' },
  markdown: { bytes: 512 * 1024, text: '512 KB' },
};

/** 512 KB of prose take more than the second that the endpoint has for its 256 KB; it is done once for all readers. */
const forPages = { extras: true, field: 'content', cpuMs: 3_000 } as const;

/**
 * What a function may answer with (6 MB), less what else the answer of a share holds. The body is a text within JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const answerBytes = 5.5 * 1024 * 1024;

const assertSize = (message: string, rule: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ field: 'content', message: rule }] });

/** Else every view by the API would be counted and end in a failure. */
const assertFitsResponse = (content: string, html: string | undefined): void => {
  const shown = { content, html: html && parseWithoutExtras(html) };
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(shown))) <= answerBytes) return;
  throw assertSize(
    'The content is too large once it is written as JSON',
    'must have fewer quotes, line ends and control characters, or be shorter',
  );
};

/**
 * Both texts of a share: what was sent, and for Markdown what it is rendered to, now and never when it is read.
 * @throws AppError PAYLOAD_TOO_LARGE; UNPROCESSABLE when the Markdown is too slow to convert; VALIDATION_ERROR for what
 *   UTF-8 can't hold
 */
export const toTexts = async (language: Language, content: string): Promise<Texts> => {
  const limit = bytesLimit[language];
  if (!content.isWellFormed()) throw invalidField('content', 'must be well-formed Unicode');
  if (Buffer.byteLength(content) > limit.bytes) {
    throw assertSize(
      `The content is larger than ${limit.text}`,
      `must have at most ${limit.text} of UTF-8`,
    );
  }
  const html = language === 'markdown' ? await markdown.toHtml(content, forPages) : undefined;
  assertFitsResponse(content, html);
  return { source: content, html };
};

/**
 * Stores a share with its gate, its texts and its place in the lists, all or nothing. Answers a generated password, which
 * is not kept.
 * @throws AppError as `toTexts`; UNAUTHORIZED when the owner was removed or suspended meanwhile
 */
export const create = async (
  ownerId: number,
  input: NewShare,
  audit: AuditRecorder,
): Promise<{ readonly share: StoredShare; readonly generatedPassword: string | undefined }> => {
  const { language, title, description, viewLimit, expiresAt } = input;
  const texts = await toTexts(language, input.content);
  const generatedPassword = input.useRandomPassword ? generatePassword() : undefined;
  const password = generatedPassword ?? input.password;
  const id = createRandomId();
  const { ref, writes } = await storeTexts(keys.shareContent(id), texts);
  const now = new Date().toISOString();
  const share: StoredShare = {
    id,
    ownerId,
    language,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(viewLimit !== undefined && { viewLimit }),
    ...(password !== undefined && { password: await hashPassword(password) }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    createdAt: now,
    updatedAt: now,
    version: 1,
    texts: ref,
  };
  const failed = await transact({
    owner: ownerStatusCheck('active', ownerId),
    share: createItemWrite(keys.share(id), share),
    gate: createAccessWrite(share),
    end: scheduleEnd(share),
    own: putOwn(share),
    count: moveOwnCount(ownerId, 1),
    total: incrementTotal('shares', 1),
    ...writes,
    ...audit.writes(auditCreated(share)),
  });
  if (failed?.owner) throw new AppError('UNAUTHORIZED', 'The account is no longer active');
  if (failed) throw new AppError('SERVICE_UNAVAILABLE', 'The share could not be stored: try again');
  return { share, generatedPassword };
};
