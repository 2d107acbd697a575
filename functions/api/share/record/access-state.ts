import { updateIf, type WriteOutcome } from '../../../../shared/db/conditional-write.ts';
import { type Condition, updateFields } from '../../../../shared/db/field-update.ts';
import { keys } from '../../../../shared/db/table.ts';
import { putNew, type Write } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { ends } from './expiry-schedule.ts';
import {
  checkIsOpen,
  type FoundShare,
  gone,
  isForgotten,
  notFound,
  passwordMissing,
  passwordWrong,
  type StoredGate,
  type StoredShare,
  takenDown,
} from './share.ts';
import {
  type Claims,
  claimOf,
  knownClaim,
  newClaim,
  noClaims,
  shiftClaim,
  shiftClaims,
} from './view-ids.ts';

/** The fields of a gate that follow from its share's. */
const rulesOf = (share: StoredShare) => ({
  lastView: share.viewLimit === undefined ? undefined : share.viewLimit - 1,
  expiresAt: share.expiresAt,
  passwordId: share.password?.id,
});

/** The write of a new share's gate. */
export const newGate = (share: StoredShare): Write =>
  putNew(keys.shareViews(share.id), {
    views: 0,
    claims: noClaims(),
    ...rulesOf(share),
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
export const changeGate = (share: StoredShare): Write =>
  updateFields(keys.shareViews(share.id), rulesOf(share), isBelow(share.viewLimit));

/** The write that ends a share now, unless it has ended since it was seen; its content is deleted as after its last view. */
export const closeGate = (id: string, now: string): Write =>
  updateFields(
    keys.shareViews(id),
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
export interface Visitor {
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
const takeOne = (
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
  return updateIf({
    Key: keys.shareViews(id),
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
const verdictOf = (
  { written, item }: WriteOutcome,
  claims: Claims,
  visitor: Visitor,
): { readonly gate: StoredGate; readonly isTaken: boolean } => {
  if (!item) throw notFound();
  const gate = item as unknown as StoredGate;
  // The SDK sends a write again when its answer was lost: this very claim is in the item then.
  if (written || knownClaim(gate, claims)) return { gate, isTaken: true };
  const { lastView, passwordId, endedAt, expiresAt } = gate;
  const ended = [endedAt, expiresAt].filter((at) => at !== undefined).map((at) => Date.parse(at));
  if (ended.some(isForgotten)) throw notFound();
  const isOver =
    (lastView !== undefined && gate.views > lastView) || ended.some((end) => end <= Date.now());
  if (gate.takenDown) throw takenDown();
  if (isOver || gate.ownerSuspended) throw gone();
  if (passwordId !== visitor.passwordId && passwordId !== undefined) {
    throw visitor.gavePassword ? passwordWrong() : passwordMissing();
  }
  return { gate, isTaken: false };
};

const maxTries = 6;

/** Claims a view under these names, as the last one or as one before, whichever the gate wants. */
const claimView = async (
  id: string,
  claims: Claims,
  visitor: Visitor,
  seen: StoredGate,
): Promise<StoredGate> => {
  let isLast = seen.lastView !== undefined && seen.views === seen.lastView;
  let passwordId = visitor.passwordId;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const outcome = await takeOne(id, claims, passwordId, isLast);
    const { gate, isTaken } = verdictOf(outcome, claims, visitor);
    if (isTaken) return gate;
    isLast = gate.views === gate.lastView;
    // The password was taken away since it was checked.
    passwordId = gate.passwordId;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The share keeps changing: try again');
};

/**
 * Takes one view of a share in one conditional write: exactly as many succeed as the limit says, whatever comes at once.
 * `seen` is the gate as it was read: where it became the last view since, there is a second write. Answers the claim by which
 * it is known.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED when the share has a password other than the one that was checked
 */
export const takeView = async (
  id: string,
  visitor: Visitor,
  seen: StoredGate,
): Promise<{ readonly gate: StoredGate; readonly claim: string }> => {
  const claims: Claims = visitor.claims ?? [newClaim()];
  try {
    const gate = await claimView(id, claims, visitor, seen);
    return { gate, claim: knownClaim(gate, claims) ?? claims[0] };
  } catch (error) {
    // None of the tries was answered, but one may have counted. A claim that the visitor named is known the next time.
    const mayBeTaken = !(error instanceof AppError) && !visitor.claims;
    if (mayBeTaken) await giveViewBack(id, claims[0], seen).catch(() => undefined);
    throw error;
  }
};

/** A claim's opposite: known as well, so that a view is given back once. */
const oppositeOf = claimOf;

/** What becomes of the end of a share when a view is given back: it is open again, if its last view ended it. */
const reopening = ({ views, lastView }: StoredGate): string =>
  lastView !== undefined && views === lastView + 1 ? ' REMOVE endedAt, gsi1pk, gsi1sk' : '';

/** A reader who is to hear of a failure waits for this (ms). */
const giveBackMs = 2_000;

/** Gives a view back: of a share that is open, or of one that has ended as this gate says. */
const giveOneBack = (id: string, claim: string, ended: StoredGate | undefined) => {
  const state = ended
    ? 'endedAt = :endedAt AND #views = :seenViews'
    : 'attribute_not_exists(endedAt)';
  const write = {
    Key: keys.shareViews(id),
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
  return updateIf(write, { timeoutMs: giveBackMs });
};

/**
 * Gives a view back that may have been taken without an answer: who saw nothing has used up nothing. A share that has
 * ended since by its last view is open again. `seen` is the gate as it was known last.
 */
const giveViewBack = async (id: string, claim: string, seen: StoredGate): Promise<void> => {
  let gate = seen;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const { written, item } = await giveOneBack(id, claim, gate.endedAt ? gate : undefined);
    if (written || !item) return;
    gate = item as unknown as StoredGate;
    // Given back by a try whose answer was lost; or never taken, or so long ago that nobody can tell.
    if (gate.claims.includes(oppositeOf(claim)) || !gate.claims.includes(claim)) return;
  }
};

/**
 * Refuses what a view of the share would be refused for, without taking one.
 * @throws AppError as `takeView`
 */
export const checkGate = (found: FoundShare, visitor: Visitor): void => {
  checkIsOpen(found);
  const { passwordId } = found.gate;
  if (passwordId !== undefined && passwordId !== visitor.passwordId) {
    throw visitor.gavePassword ? passwordWrong() : passwordMissing();
  }
};

/** How many views are counted by one write: fewer than a gate remembers, so that all of them are known the next time. */
const countedAtOnce = 20;

const countSome = async (
  id: string,
  claims: readonly string[],
): Promise<StoredGate | undefined> => {
  const names = claims.map((_, at) => `:claim${at}`);
  const { written, item } = await updateIf({
    Key: keys.shareViews(id),
    UpdateExpression: `SET #views = #views + :count, ${shiftClaims(names)}`,
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(lastView) AND ${names.map((name) => `NOT contains(claims, ${name})`).join(' AND ')}`,
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: {
      ':count': claims.length,
      ...Object.fromEntries(claims.map((claim, at) => [names[at], claim])),
    },
  });
  return written ? undefined : (item as unknown as StoredGate | undefined);
};

/**
 * Counts views of the page of a share without a limit, after it was seen, twenty by one write; the same claim is the same
 * view.
 */
export const countPageViews = async (id: string, claims: readonly string[]): Promise<void> => {
  for (let at = 0; at < claims.length; at += countedAtOnce) {
    let rest: readonly string[] = [...new Set(claims.slice(at, at + countedAtOnce))];
    for (let attempt = 0; rest.length > 0 && attempt < maxTries; attempt++) {
      const gate = await countSome(id, rest);
      // Written, or there is no such share, or it has a limit by now, and then its gate counts.
      if (!gate || gate.lastView !== undefined) break;
      rest = rest.filter((claim) => !gate.claims.includes(claim));
    }
  }
};
