import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { updateFields } from '../../../../shared/db/field-update.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { countItems, type ListKey, startAt } from '../../../../shared/db/query.ts';
import { createItemWrite, deleteItemWrite, transact } from '../../../../shared/db/transaction.ts';
import { isSameRecord, nextVersion, writeVersion } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/content/etag.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPage,
} from '../../../../shared/lists/pagination.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { loadShares } from '../reading/load.ts';
import { isOpenToAll } from '../record/audience.ts';
import { assertWithinCeiling, narrow } from '../record/ceiling.ts';
import { hashPassword, isPassword, type StoredPassword } from '../record/share-password.ts';
import { auditRequest, parseRequestSubject } from './audit.ts';
import type { NewRequest, RequestChange } from './input.ts';
import { requestKeys } from './keys.ts';
import {
  defaultOpenSeconds,
  getRetention,
  loadRequest,
  loadRequests,
  requestGone,
  requestNotFound,
  retryOnConflict,
  type StoredRequest,
} from './request.ts';

const toIso = (ms: number): string => new Date(ms).toISOString();

/** Returns when a new request ends (ms since 1970): at the time asked for, else by default or as an API token allows. */
const chooseEnd = (actor: Actor, asked: number | undefined): number => {
  const { expiresAt } = narrow<{ expiresAt: number | undefined }>(
    actor,
    { expiresAt: asked },
    'link',
  );
  return asked ?? Math.min(Date.now() + defaultOpenSeconds * 1_000, expiresAt ?? Infinity);
};

/**
 * Creates a request of the caller: whoever has its address can hand content in.
 * @throws AppError UNPROCESSABLE if the settings don't let anyone with a link open shares; FORBIDDEN above the ceiling of an
 *   API token
 */
export const createRequest = async (
  actor: Actor,
  { title, note, submissions, password, expiresAt }: NewRequest,
  recorder: ChangeRecorder,
): Promise<StoredRequest> => {
  if (!isOpenToAll({})) {
    throw new AppError(
      'UNPROCESSABLE',
      'Anyone with its link can open a request, and MAX_AUDIENCE of this service allows less.',
    );
  }
  const end = toIso(chooseEnd(actor, expiresAt));
  const now = new Date().toISOString();
  const request: StoredRequest = {
    id: createRandomId(),
    ownerId: actor.user.id,
    title,
    ...(note !== undefined && { note }),
    submissions,
    taken: 0,
    submitted: {},
    ...(password !== undefined && { password: await hashPassword(password) }),
    expiresAt: end,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  const { id, ownerId, createdAt } = request;
  const ttl = getRetention(end);
  await transact([
    createItemWrite(requestKeys.record.at({ id }), { ...request, ttl }),
    createItemWrite(requestKeys.byOwner.at({ ownerId, createdAt, id }), { id, ttl }),
    ...recorder.steps(auditRequest(undefined, request)),
  ]);
  return request;
};

/**
 * Reads a request of a user.
 * @throws AppError NOT_FOUND, also if it belongs to someone else
 */
export const loadOwnRequest = async (ownerId: number, id: string): Promise<StoredRequest> => {
  const request = await loadRequest(id);
  if (request.ownerId !== ownerId) throw requestNotFound();
  return request;
};

/**
 * Reads the request of an audit subject.
 * @throws AppError NOT_FOUND
 */
export const loadBySubject = (subject: string): Promise<StoredRequest> =>
  loadRequest(parseRequestSubject(subject));

/** Reads what was handed in through a request, as far as it still exists. */
export const loadSubmitted = ({ submitted }: StoredRequest) =>
  loadShares(Object.values(submitted).map(({ shareId }) => shareId));

/** Finds a user's requests, newest first. */
export const findRequests = async (
  ownerId: number,
  request: PageRequest,
): Promise<ListResult<ListKey>> => {
  const own = startAt(requestKeys.byOwner.prefix({ ownerId }));
  const [page, count] = await Promise.all([
    readPage({ ...own, ScanIndexForward: false }, request, `share-requests#${ownerId}`),
    countItems(own, maxCountedMatches + 1),
  ]);
  return {
    ...page,
    total: Math.min(count, maxCountedMatches),
    totalIsExact: count <= maxCountedMatches,
  };
};

/** Reads the requests of a page of entries. */
export const loadEntries = async (
  found: ListResult<ListKey>,
): Promise<ListResult<StoredRequest>> => ({
  ...found,
  items: await loadRequests(found.items.map(({ id }) => id as string)),
});

/** @throws AppError VALIDATION_ERROR for fewer submissions than were taken */
const assertSubmissions = (submissions: number | undefined, { taken }: StoredRequest): void => {
  if (submissions === undefined || submissions >= taken) return;
  throw invalidField('submissions', `must be at least ${taken}, the number already taken`);
};

/**
 * Updates a request of the caller. `toChange` receives the current one, and again after a concurrent write. Without a
 * difference, nothing is written. One that has ended takes content again once nothing keeps it from that.
 * @throws AppError NOT_FOUND; GONE if it was taken down; PRECONDITION_FAILED; VALIDATION_ERROR; FORBIDDEN above the ceiling of
 *   an API token; what `toChange` throws
 */
export const changeRequest = (
  actor: Actor,
  id: string,
  toChange: (current: StoredRequest) => Promise<RequestChange>,
  { recorder, ifMatch }: { recorder: ChangeRecorder; ifMatch: IfMatch | undefined },
): Promise<StoredRequest> => {
  let hashed: StoredPassword | undefined;
  const changePassword = async (before: StoredPassword | undefined, asked?: string | null) => {
    if (asked == null) return asked === null ? undefined : before;
    if (before && (await isPassword(asked, before))) return before;
    hashed ??= await hashPassword(asked);
    return hashed;
  };
  return retryOnConflict(async () => {
    const before = await loadOwnRequest(actor.user.id, id);
    assertVersion(ifMatch, before.version);
    if (before.takenDownAt !== undefined) throw requestGone('taken-down');
    const { note, closed, password, ...asked } = await toChange(before);
    assertSubmissions(asked.submissions, before);
    const expiresAt = asked.expiresAt === undefined ? before.expiresAt : toIso(asked.expiresAt);
    const { createdAt, ownerId } = before;
    // A request shows nothing, so a limit of views doesn't concern it.
    assertWithinCeiling(actor, { audience: 'link', createdAt, viewLimit: 0, expiresAt });
    const after = nextVersion<StoredRequest>(before, {
      title: asked.title ?? before.title,
      note: note === undefined ? before.note : (note ?? undefined),
      submissions: asked.submissions ?? before.submissions,
      closedAt:
        (closed ?? before.closedAt !== undefined)
          ? (before.closedAt ?? new Date().toISOString())
          : undefined,
      password: await changePassword(before.password, password),
      expiresAt,
    });
    if (isSameRecord(before, after)) return before;
    const { title, submissions, closedAt, updatedAt, version } = after;
    const ttl = getRetention(expiresAt);
    const fields = {
      ...{ title, note: after.note, submissions, closedAt, password: after.password },
      ...{ expiresAt, updatedAt, version, ttl },
    };
    const refused = await transact([
      {
        write: updateFields(requestKeys.record.at({ id }), fields, {
          expression: 'version = :seenVersion AND taken <= :submissions',
          values: { ':seenVersion': before.version },
        }),
        refused: 'changed',
      },
      expiresAt === before.expiresAt
        ? undefined
        : {
            write: updateFields(
              requestKeys.byOwner.at({ ownerId, createdAt, id }),
              { ttl },
              { expression: 'attribute_exists(pk)' },
            ),
            refused: 'changed',
          },
      ...recorder.steps(auditRequest(before, after)),
    ]);
    return refused ? undefined : after;
  });
};

/** Deletes a request, unless it was changed since it was read. Returns whether it did. */
export const deleteIfUnchanged = async (
  request: StoredRequest,
  recorder?: ChangeRecorder,
): Promise<boolean> => {
  const { id, ownerId, createdAt } = request;
  const refused = await transact([
    { write: writeVersion(requestKeys.record.at({ id }), request, undefined), refused: 'changed' },
    deleteItemWrite(requestKeys.byOwner.at({ ownerId, createdAt, id })),
    ...(recorder?.steps(auditRequest(request, undefined)) ?? []),
  ]);
  return refused === undefined;
};

/**
 * Deletes a request of the caller. What was handed in stays in the caller's shares.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const deleteRequest = async (
  actor: Actor,
  id: string,
  { recorder, ifMatch }: { recorder: ChangeRecorder; ifMatch: IfMatch | undefined },
): Promise<void> => {
  await retryOnConflict(async () => {
    const request = await loadOwnRequest(actor.user.id, id);
    assertVersion(ifMatch, request.version);
    return (await deleteIfUnchanged(request, recorder)) || undefined;
  });
};
