import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { updateFields, versionCondition } from '../../../shared/db/field-update.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { isSameRecord } from '../../../shared/db/versioned-record.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { removeTexts, storeTexts, type TextsRef } from '../../../shared/storage/stored-text.ts';
import { toTexts } from './create.ts';
import { type ReadShare, read, readText } from './reading/reading.ts';
import { updateAccessWrite } from './record/access-state.ts';
import { auditUpdated } from './record/audit.ts';
import { moveEnd } from './record/expiry-schedule.ts';
import {
  endedError,
  type FoundShare,
  getShareStatus,
  type Language,
  type StoredShare,
  untilChanged,
} from './record/share.ts';
import {
  generatePassword,
  hashPassword,
  isPassword,
  type StoredPassword,
} from './record/share-password.ts';

/** What of a share is to be another: a field that is absent stays, `null` takes it away. */
export interface ShareChange {
  readonly content?: string | undefined;
  readonly language?: Language | undefined;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly viewLimit?: number | null | undefined;
  /** ms since 1970. */
  readonly expiresAt?: number | null | undefined;
  readonly password?: string | null | undefined;
  readonly useRandomPassword: boolean;
}

/** The field as it is to be: as it was, another one, or none. */
const changed = <T>(before: T | undefined, change: T | null | undefined): T | undefined =>
  change === undefined ? before : (change ?? undefined);

/**
 * Refuses a limit that would end the share: who means that ends it by name.
 * @throws AppError VALIDATION_ERROR
 */
const assertLimit = (limit: ShareChange['viewLimit'], { share, gate: { views } }: FoundShare) => {
  if (limit == null || limit === share.viewLimit || limit > views) return;
  const taken = views === 1 ? '1 view' : `${views} views`;
  throw invalidField('viewLimit', `must be greater than the ${taken} already taken`);
};

/** What the texts are to be, or `undefined` where they stay; only who changes them has to read them. */
const newTexts = async (seen: ReadShare, { content, language }: ShareChange) => {
  const { share } = seen;
  const isSameLanguage = language === undefined || language === share.language;
  if (content === undefined && isSameLanguage) return undefined;
  const source = await readText(seen, 'source');
  if (isSameLanguage && content === source) return undefined;
  return toTexts(language ?? share.language, content ?? source);
};

/** The texts stay where they are, or new ones are stored and the former removed. */
const textWrites = async (seen: ReadShare, change: ShareChange) => {
  const { id, texts: former } = seen.share;
  const texts = await newTexts(seen, change);
  if (!texts) return { former, ref: former as TextsRef, writes: {} };
  const owner = keys.shareContent(id);
  const { ref, writes } = await storeTexts(owner, texts);
  return { former, ref, writes: { ...writes, ...(former && removeTexts(owner, former, ref)) } };
};

/**
 * Changes a share. Views that were taken stay counted; a limit is above them. `toChange` is given the share as it is
 * and answers what is to be another; it is asked again when somebody else was faster, and may throw. Where nothing is,
 * nothing is written. Answers a generated password, which is not kept.
 * @throws AppError NOT_FOUND; GONE when it has ended or was taken down; VALIDATION_ERROR for a limit at or below the views
 *   that were taken; otherwise as `create`
 */
export const change = async (
  id: string,
  toChange: (seen: ReadShare) => Promise<ShareChange>,
  check: (share: StoredShare) => void,
  noted: AuditRecorder,
): Promise<{ readonly found: FoundShare; readonly generatedPassword: string | undefined }> => {
  let generatedPassword: string | undefined;
  let hashed: StoredPassword | undefined;
  /** Answers `undefined` for the password that there is. */
  const newPassword = async (
    stored: StoredPassword | undefined,
    { useRandomPassword, password }: ShareChange,
  ): Promise<StoredPassword | null | undefined> => {
    if (useRandomPassword) generatedPassword ??= generatePassword();
    const given = generatedPassword ?? password;
    if (given == null) return given;
    if (stored && (await isPassword(given, stored))) return undefined;
    hashed ??= await hashPassword(given);
    return hashed;
  };
  let stored: Awaited<ReturnType<typeof textWrites>> | undefined;
  return untilChanged(async () => {
    const seen = await read(id);
    await check(seen.share);
    const status = getShareStatus(seen);
    if (status === 'ended' || status === 'taken-down') throw endedError();
    const input = await toChange(seen);
    assertLimit(input.viewLimit, seen);
    const password = await newPassword(seen.share.password, input);
    // A view that came between wants no other texts: large ones would take so long again that the next view comes.
    if (!stored || stored.former?.id !== seen.share.texts?.id) {
      stored = await textWrites(seen, input);
    }
    const { ref, writes } = stored;
    const expiresAt = input.expiresAt == null ? input.expiresAt : toIso(input.expiresAt);
    const before = seen.share;
    const fields = {
      language: input.language ?? before.language,
      title: changed(before.title, input.title),
      description: changed(before.description, input.description),
      viewLimit: changed(before.viewLimit, input.viewLimit),
      expiresAt: changed(before.expiresAt, expiresAt),
      password: changed(before.password, password),
      texts: ref,
      updatedAt: new Date().toISOString(),
      version: before.version + 1,
    };
    const share = { ...before, ...fields } as StoredShare;
    if (isSameRecord(before, share)) return { found: seen, generatedPassword };
    const failed = await transact({
      share: updateFields(keys.share(id), fields, versionCondition(before.version)),
      gate: updateAccessWrite(share),
      end: moveEnd(before, share),
      ...writes,
      ...noted.writes(auditUpdated(before, share)),
    });
    return failed ? undefined : { found: { share, gate: seen.gate }, generatedPassword };
  });
};

const toIso = (ms: number): string => new Date(ms).toISOString();
