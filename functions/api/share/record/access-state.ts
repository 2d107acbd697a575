import { conditionalUpdate, type WriteOutcome } from '../../../../shared/db/conditional-write.ts';
import { type Condition, updateFields } from '../../../../shared/db/field-update.ts';
import { keys } from '../../../../shared/db/table.ts';
import { createItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { ends } from './expiry-schedule.ts';
import {
  assertOpen,
  endedError,
  type FoundShare,
  isTombstoneExpired,
  notFound,
  passwordIncorrect,
  passwordRequired,
  type ShareAccess,
  type StoredShare,
  takenDownError,
} from './share.ts';
import {
  type Claims,
  createViewId,
  emptyViewIds,
  findViewId,
  pushViewIds,
  shiftClaim,
  toViewId,
} from './view-ids.ts';

/** The fields of a gate that follow from its share's. */
const getRules = (share: StoredShare) => ({
  lastView: share.viewLimit === undefined ? undefined : share.viewLimit - 1,
  expiresAt: share.expiresAt,
  passwordId: share.password?.id,
});

/** The write of a new share's gate. */
export const createAccessWrite = (share: StoredShare): Write =>
  createItemWrite(keys.shareAccess(share.id), {
    views: 0,
    claims: emptyViewIds(),
    ...getRules(share),
  });

const isOpen = 'attribute_exists(pk) AND attribute_not_exists(endedAt)';

/**
 * The share has not ended, and its views are below its limit. No more than that, or a share that is viewed often could
 * never be changed.
 */
const isBelow = (limit: number | undefined): Condition => {
  if (limit === undefined) return { expression: isOpen };
  return {
    expression: `${isOpen} AND #views < :limit`,
    names: { '#views': 'views' },
    values: { ':limit': limit },
  };
};

/** The write that gives a gate the rules of its changed share, unless it has ended, or its views have reached the limit. */
export const updateAccessWrite = (share: StoredShare): Write =>
  updateFields(keys.shareAccess(share.id), getRules(share), isBelow(share.viewLimit));

/** The write that ends a share now, unless it has ended since it was seen; its content is deleted as after its last view. */
export const closeAccessWrite = (id: string, now: string): Write =>
  updateFields(
    keys.shareAccess(id),
    { endedAt: now, ...ends.planned(now, id) },
    { expression: isOpen },
  );

/** Nobody has viewed the share since. `views` is a word of DynamoDB's own, which only a name can stand for. */
export const areViews = (views: number): Condition => ({
  expression: 'attribute_exists(pk) AND #views = :seenViews',
  names: { '#views': 'views' },
  values: { ':seenViews': views },
});

/** Who asks for a view, as far as the gate wants to know. */
export interface Viewer {
  /** The `id` of the password that was checked; absent where none was. */
  readonly passwordId?: string | undefined;
  /** Was a password given at all? It tells a wrong one from a missing one. */
  readonly gavePassword?: boolean;
  /**
   * Name the view where it may be asked for twice, as by a double click: by the first it is taken, by any it is known. One
   * is made up where they are absent.
   */
  readonly claims?: Claims;
}

/** Every view but the last: no more than one condition on the one small item. */
const tryConsume = (
  id: string,
  [claim, ...others]: Claims,
  passwordId: string | undefined,
  isLast: boolean,
) => {
  const now = new Date().toISOString();
  const limit = isLast
    ? '#views = lastView'
    : '(attribute_not_exists(lastView) OR #views < lastView)';
  const password =
    passwordId === undefined ? 'attribute_not_exists(passwordId)' : 'passwordId = :passwordId';
  const isUnknown = [':claim', ...others.map((_, at) => `:other${at}`)]
    .map((name) => `NOT contains(claims, ${name})`)
    .join(' AND ');
  // The last view plans the end of the share in the same write, so that no crash leaves its content behind.
  const plan = ends.planned(now, id);
  return conditionalUpdate({
    Key: keys.shareAccess(id),
    UpdateExpression: `SET #views = #views + :one, ${shiftClaim}${isLast ? ', endedAt = :now, gsi1pk = :endsPk, gsi1sk = :endsSk' : ''}`,
    ConditionExpression: `attribute_exists(pk) AND ${limit} AND (attribute_not_exists(expiresAt) OR expiresAt > :now) AND attribute_not_exists(takenDown) AND attribute_not_exists(ownerSuspended) AND ${password} AND ${isUnknown}`,
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':claim': claim,
      ...Object.fromEntries(others.map((other, at) => [`:other${at}`, other])),
      ':now': now,
      ...(passwordId !== undefined && { ':passwordId': passwordId }),
      ...(isLast && { ':endsPk': plan.gsi1pk, ':endsSk': plan.gsi1sk }),
    },
  });
};

/** What the gate said to a claim: the view is taken, or should be tried as the last one, or as one before. */
const getVerdict = (
  { written, item }: WriteOutcome,
  claims: Claims,
  viewer: Viewer,
): { readonly gate: ShareAccess; readonly isTaken: boolean } => {
  if (!item) throw notFound();
  const access = item as unknown as ShareAccess;
  // The SDK sends a write again when its answer was lost: this very claim is in the item then.
  if (written || findViewId(access, claims)) return { gate: access, isTaken: true };
  const { lastView, passwordId, endedAt, expiresAt } = access;
  const ended = [endedAt, expiresAt].filter((at) => at !== undefined).map((at) => Date.parse(at));
  if (ended.some(isTombstoneExpired)) throw notFound();
  const isExpired =
    (lastView !== undefined && access.views > lastView) || ended.some((end) => end <= Date.now());
  if (access.takenDown) throw takenDownError();
  if (isExpired || access.ownerSuspended) throw endedError();
  if (passwordId !== viewer.passwordId && passwordId !== undefined) {
    throw viewer.gavePassword ? passwordIncorrect() : passwordRequired();
  }
  return { gate: access, isTaken: false };
};

const maxTries = 6;

/** Claims a view under these names, as the last one or as one before, whichever the gate wants. */
const recordViewId = async (
  id: string,
  claims: Claims,
  viewer: Viewer,
  seen: ShareAccess,
): Promise<ShareAccess> => {
  let isLast = seen.lastView !== undefined && seen.views === seen.lastView;
  let passwordId = viewer.passwordId;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const outcome = await tryConsume(id, claims, passwordId, isLast);
    const { gate: access, isTaken } = getVerdict(outcome, claims, viewer);
    if (isTaken) return access;
    isLast = access.views === access.lastView;
    // The password was taken away since it was checked.
    passwordId = access.passwordId;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The share keeps changing: try again');
};

/**
 * Takes one view of a share in one conditional write: exactly as many succeed as the limit says, whatever comes at once.
 * `seen` is the gate as it was read: where it became the last view since, there is a second write. Answers the claim by which
 * it is known.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED when the share has a password other than the one that was checked
 */
export const consumeView = async (
  id: string,
  viewer: Viewer,
  seen: ShareAccess,
): Promise<{ readonly gate: ShareAccess; readonly claim: string }> => {
  const claims: Claims = viewer.claims ?? [createViewId()];
  try {
    const access = await recordViewId(id, claims, viewer, seen);
    return { gate: access, claim: findViewId(access, claims) ?? claims[0] };
  } catch (error) {
    // None of the tries was answered, but one may have counted. A claim that the visitor named is known the next time.
    const mayBeTaken = !(error instanceof AppError) && !viewer.claims;
    if (mayBeTaken) await refundView(id, claims[0], seen).catch(() => undefined);
    throw error;
  }
};

/** A claim's opposite: known as well, so that a view is given back once. */
const oppositeOf = toViewId;

/** What becomes of the end of a share when a view is given back: it is open again, if its last view ended it. */
const reopening = ({ views, lastView }: ShareAccess): string =>
  lastView !== undefined && views === lastView + 1 ? ' REMOVE endedAt, gsi1pk, gsi1sk' : '';

/** A reader who is to hear of a failure waits for this (ms). */
const giveBackMs = 2_000;

/** Gives a view back: of a share that is open, or of one that has ended as this gate says. */
const tryRefund = (id: string, claim: string, ended: ShareAccess | undefined) => {
  const state = ended
    ? 'endedAt = :endedAt AND #views = :seenViews'
    : 'attribute_not_exists(endedAt)';
  const write = {
    Key: keys.shareAccess(id),
    UpdateExpression: `SET #views = #views - :one, ${shiftClaim}${ended ? reopening(ended) : ''}`,
    ConditionExpression: `attribute_exists(pk) AND contains(claims, :taken) AND NOT contains(claims, :claim) AND ${state}`,
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':taken': claim,
      ':claim': oppositeOf(claim),
      ...(ended && { ':endedAt': ended.endedAt, ':seenViews': ended.views }),
    },
  };
  return conditionalUpdate(write, { timeoutMs: giveBackMs });
};

/**
 * Gives a view back that may have been taken without an answer: who saw nothing has used up nothing. A share that has
 * ended since by its last view is open again. `seen` is the gate as it was known last.
 */
const refundView = async (id: string, claim: string, seen: ShareAccess): Promise<void> => {
  let access = seen;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const { written, item } = await tryRefund(id, claim, access.endedAt ? access : undefined);
    if (written || !item) return;
    access = item as unknown as ShareAccess;
    // Given back by a try whose answer was lost; or never taken, or so long ago that nobody can tell.
    if (access.claims.includes(oppositeOf(claim)) || !access.claims.includes(claim)) return;
  }
};

/**
 * Refuses what a view of the share would be refused for, without taking one.
 * @throws AppError as `consumeView`
 */
export const assertCanView = (found: FoundShare, viewer: Viewer): void => {
  assertOpen(found);
  const { passwordId } = found.gate;
  if (passwordId !== undefined && passwordId !== viewer.passwordId) {
    throw viewer.gavePassword ? passwordIncorrect() : passwordRequired();
  }
};

/** How many views are counted by one write: fewer than a gate remembers, so that all of them are known the next time. */
const countedAtOnce = 20;

const countSome = async (
  id: string,
  claims: readonly string[],
): Promise<ShareAccess | undefined> => {
  const names = claims.map((_, at) => `:claim${at}`);
  const { written, item } = await conditionalUpdate({
    Key: keys.shareAccess(id),
    UpdateExpression: `SET #views = #views + :count, ${pushViewIds(names)}`,
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(lastView) AND ${names.map((name) => `NOT contains(claims, ${name})`).join(' AND ')}`,
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: {
      ':count': claims.length,
      ...Object.fromEntries(claims.map((claim, at) => [names[at], claim])),
    },
  });
  return written ? undefined : (item as unknown as ShareAccess | undefined);
};

/**
 * Counts views of the page of a share without a limit, after it was seen, twenty by one write; the same claim is the same
 * view.
 */
export const countPageViews = async (id: string, claims: readonly string[]): Promise<void> => {
  for (let at = 0; at < claims.length; at += countedAtOnce) {
    let rest: readonly string[] = [...new Set(claims.slice(at, at + countedAtOnce))];
    for (let attempt = 0; rest.length > 0 && attempt < maxTries; attempt++) {
      const access = await countSome(id, rest);
      // Written, or there is no such share, or it has a limit by now, and then its gate counts.
      if (!access || access.lastView !== undefined) break;
      rest = rest.filter((claim) => !access.claims.includes(claim));
    }
  }
};
