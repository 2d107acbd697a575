import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { countSteps } from '../../../../shared/counters/counter.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { assertAge, getExpiry } from '../../../../shared/input/share-age.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { type Audience, isWider } from '../../../../shared/permissions/audiences.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { quotaExceededError, toUsage } from '../../../../shared/storage/quota.ts';
import { requireQuota } from '../../../../shared/storage/usage.ts';
import { ownerNotificationSteps } from '../ending/notify.ts';
import { isRestricted, requiresView } from '../reading/access.ts';
import { admitEditor, type ReadableShare } from '../reading/admission.ts';
import { forgetTexts } from '../reading/text-memory.ts';
import { getMembersSince, receivedWrites } from '../received/entries.ts';
import { updateAccessWrite } from '../record/access-state.ts';
import { isOpenToAll } from '../record/audience.ts';
import { auditUpdated } from '../record/audit.ts';
import { assertWithinCeiling } from '../record/ceiling.ts';
import { getCounts } from '../record/counters.ts';
import { rescheduleEnd } from '../record/expiry-schedule.ts';
import { shareKeys } from '../record/keys.ts';
import { getLinkAudience, isLinkAllowed, loadOpenLinks } from '../record/links.ts';
import { type AskedOptions, applyOptions } from '../record/options.ts';
import {
  endedError,
  type FoundShare,
  getShareStatus,
  getTitle,
  retryOnConflict,
  type StoredShare,
} from '../record/share.ts';
import {
  generatePassword,
  hashPassword,
  isPassword,
  type StoredPassword,
} from '../record/share-password.ts';
import { assertNotReserved, changeSlug, slugTaken } from '../record/slugs.ts';
import { countUsed, endUploadStep, type UsedUpload, uploadChanged } from '../uploads/use.ts';
import { assertEmbeddable, chooseAudience, getWidest, toStoredAudience } from './audience.ts';
import { type ContentChange, type ContentWrites, createContentWrites } from './changed-content.ts';
import { assertHasKey, readChangedSeal } from './sealed.ts';
import { transactOrDiscard } from './stored-files.ts';

/** An update of a share: absent fields stay, `null` removes a field. */
export interface ShareChange extends AskedOptions, ContentChange {
  /** ms since 1970. */
  readonly expiresAt?: number | null | undefined;
  readonly password?: string | null | undefined;
  readonly useRandomPassword: boolean;
  /** What stays as it is of a share that is sealed. */
  readonly sealed?: boolean | undefined;
  /** The proof of the key of new sealed content; the former one if it is left out. */
  readonly proof?: string | undefined;
}

const applyChange = <T>(before: T | undefined, change: T | null | undefined): T | undefined =>
  change === undefined ? before : (change ?? undefined);

/**
 * Asserts that a new limit is above the views. To end a share, there is an endpoint.
 * @throws AppError VALIDATION_ERROR
 */
const assertLimit = (limit: ShareChange['viewLimit'], { share, access: { views } }: FoundShare) => {
  if (limit == null || limit === share.viewLimit || limit > views) return;
  const counted = views === 1 ? '1 view' : `${views} views`;
  throw invalidField('viewLimit', `must be greater than the ${counted} already counted`);
};

/**
 * Whether the content isn’t for all who can open the share from now on: it stays and was for fewer, or is written while the
 * settings let fewer open it than the share says.
 */
const staysRestricted = (before: StoredShare, after: StoredShare): true | undefined => {
  const isKept = after.texts?.id === before.texts?.id;
  const isForAll = after.audience === undefined && !requiresView(after);
  return (isForAll && (isKept ? isRestricted(before) : !isOpenToAll(after))) || undefined;
};

/** A changed share, and what its author is told. */
export interface Changed {
  readonly found: FoundShare;
  /** Not stored in plain text. */
  readonly generatedPassword: string | undefined;
  readonly missing: ContentWrites['missing'];
}

/**
 * Returns who can open a share with an audience at most, for the ceiling of a token: its recipient links open new content, too.
 * Without a ceiling, they aren't read.
 */
const withLinks = async (
  audience: Audience,
  { access }: FoundShare,
  { token }: Pick<Actor, 'token'>,
): Promise<Audience> => {
  const { maxAudience } = token?.ceiling ?? {};
  if (maxAudience === undefined || isWider(audience, maxAudience)) return audience;
  const links = (await loadOpenLinks(access)).filter(isLinkAllowed).map(getLinkAudience);
  return links.find((one) => isWider(one, maxAudience)) ?? audience;
};

/** Counts what a change adds to the owner’s storage, and refuses what is too much. */
const countContentSteps = (before: StoredShare, after: StoredShare, upload?: UsedUpload) =>
  countSteps([...getCounts(before), ...countUsed(upload)], getCounts(after), requireQuota);

/**
 * Updates a share; its views stay counted. `toChange` receives the current share, and again after a concurrent write.
 * `check` receives it first. Both may throw. Without a difference, nothing is written. The owner is notified if the actor is
 * someone else. With an API token of the actor, the result must be within its ceiling.
 * @throws AppError as `readChangedSeal`, `chooseAudience`, `assertAge` and `createContentWrites`; NOT_FOUND; GONE if it has ended or was taken down; VALIDATION_ERROR for a limit that is not above the
 *   views; FORBIDDEN above a ceiling; CONFLICT for a taken or reserved slug; otherwise as `create`
 */
export const change = async (
  id: string,
  toChange: (current: ReadableShare) => Promise<ShareChange>,
  check: (share: StoredShare) => void | Promise<void>,
  recorder: ChangeRecorder,
  actor: Pick<Actor, 'token' | 'permissions'> & { readonly user: Pick<Actor['user'], 'id'> },
): Promise<Changed> => {
  let generatedPassword: string | undefined;
  let hashed: StoredPassword | undefined;
  /** Returns `undefined` if the password stays. */
  const createPassword = async (
    stored: StoredShare['password'],
    { useRandomPassword, password }: ShareChange,
  ): Promise<StoredPassword | null | undefined> => {
    if (useRandomPassword) generatedPassword ??= generatePassword();
    const given = generatedPassword ?? password;
    if (given == null) return given;
    const isKept = stored && 'salt' in stored && (await isPassword(given, stored));
    if (isKept) return undefined;
    hashed ??= await hashPassword(given);
    return hashed;
  };
  let stored: ContentWrites | undefined;
  return retryOnConflict(async () => {
    const current = await admitEditor(id, check);
    const status = getShareStatus(current);
    if (status === 'ended' || status === 'taken-down') throw endedError();
    const input = await toChange(current);
    const { envelope, proof } = readChangedSeal(input, current.share);
    if (envelope) assertHasKey(actor.user.id, current.share);
    assertLimit(input.viewLimit, current);
    const before = current.share;
    assertAge(input.expiresAt, Date.parse(before.createdAt));
    const expiresAt = input.expiresAt == null ? input.expiresAt : toIso(input.expiresAt);
    const chosen = chooseAudience(actor, input, before);
    assertEmbeddable(input);
    const { audience, readers, audienceId } = await toStoredAudience(
      actor,
      before.ownerId,
      input,
      chosen,
      before,
    );
    const options = {
      ...applyOptions(before, { ...input, audience: undefined, readers: undefined }),
      ...{ audience, readers, audienceId },
      hasReceipts: before.hasReceipts ?? (audienceId === undefined ? undefined : (true as const)),
    };
    const expiry = applyChange(before.expiresAt, expiresAt);
    assertWithinCeiling(actor, {
      audience: await withLinks(getWidest(chosen, options), current, actor),
      viewLimit: options.viewLimit,
      expiresAt: getExpiry({ ...before, expiresAt: expiry }),
      createdAt: before.createdAt,
    });
    await assertNotReserved(input.slug, current.share.ownerId);
    const password = proof ?? (await createPassword(current.share.password, input));
    // After a concurrent view, the stored texts are reused: storing large ones again could lose to the next view. After an
    // update, the revision has another version, and may be restricted.
    if (stored?.version !== before.version) {
      await stored?.discard();
      stored = await createContentWrites(current, { ...input, envelope }, actor.user.id);
    }
    const { fields: contentFields, writes, upload, missing, discard } = stored;
    const fields = {
      ...options,
      expiresAt: expiry,
      password: applyChange(before.password, password),
      ...contentFields,
      updatedAt: new Date().toISOString(),
      version: before.version + 1,
    };
    const isContentRestricted = staysRestricted(before, { ...before, ...fields } as StoredShare);
    const membersSince = getMembersSince({ ...before, ...fields }, fields.updatedAt);
    const changed = { ...fields, isContentRestricted, membersSince };
    const share = { ...before, ...changed } as StoredShare;
    if (isSameRecord(before, share)) return { found: current, generatedPassword, missing };
    const steps = [
      {
        write: updateFields(shareKeys.record.at({ id }), changed, versionCondition(before.version)),
        refused: 'changed',
      } as const,
      { write: updateAccessWrite(share), refused: 'changed' } as const,
      ...changeSlug(before, share),
      upload && endUploadStep(upload.upload),
      ...countContentSteps(before, share, upload),
      rescheduleEnd(before, share),
      ...receivedWrites(before, share),
      ...writes,
      ...(await ownerNotificationSteps(
        before,
        actor.user.id,
        notificationTemplates.shareEditedByModerator(getTitle(before)),
      )),
      ...recorder.steps(auditUpdated(before, share)),
    ];
    const refused = await transactOrDiscard(steps, discard);
    if (refused?.by === 'taken') throw await slugTaken(share);
    if (refused?.by === 'upload') throw uploadChanged();
    if (refused?.by === 'quota') {
      throw quotaExceededError(toUsage(refused.item), share.files?.bytes ?? 0, 'files');
    }
    if (refused) return undefined;
    // They are still the former ones here: the next read would take two trips.
    if (writes.length > 0) forgetTexts(id);
    return { found: { share, access: current.access }, generatedPassword, missing };
  });
};

const toIso = (ms: number): string => new Date(ms).toISOString();
