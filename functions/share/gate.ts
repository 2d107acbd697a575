import { createHash, randomBytes } from 'node:crypto';
import { updateIf, type WriteOutcome } from '../../shared/conditional-write.ts';
import { AppError } from '../../shared/errors.ts';
import { type Condition, updateFields } from '../../shared/field-update.ts';
import { keys } from '../../shared/table.ts';
import { putNew, type Write } from '../../shared/transaction.ts';
import { ends } from './ends.ts';
import {
  checkIsOpen,
  type FoundShare,
  gone,
  notFound,
  passwordMissing,
  passwordWrong,
  type StoredGate,
  type StoredShare,
} from './share.ts';

/** How many claims a gate knows: a lost answer is recognised after one fewer views came between. */
const knownClaims = 40;
const claimBytes = 8;

/** Every claim moves the ones before it on by one place: in an update each right side is the item as it was before. */
const shiftClaims = Array.from({ length: knownClaims }, (_, at) =>
  at === 0 ? 'claims[0] = :claim' : `claims[${at}] = claims[${at - 1}]`,
).join(', ');

const noClaims = (): readonly Uint8Array[] =>
  Array.from({ length: knownClaims }, () => Buffer.from('-'));

const newClaim = (): Buffer => randomBytes(claimBytes);

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
    ...(share.expiresAt !== undefined && ends.planned(share.expiresAt, share.id)),
  });

/** The write that gives a gate the rules of its changed share, unless a view was taken since it was seen. */
export const changeGate = (share: StoredShare, { views }: StoredGate): Write => {
  const isOver = share.viewLimit !== undefined && views >= share.viewLimit;
  const now = new Date().toISOString();
  const end = isOver ? now : share.expiresAt;
  return updateFields(
    keys.shareViews(share.id),
    {
      ...rulesOf(share),
      endedAt: isOver ? now : undefined,
      ...(end === undefined ? ends.none : ends.planned(end, share.id)),
    },
    areViews(views),
  );
};

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
  /** Names the view where it may be asked for twice, as by a double click; made up where it is absent. */
  readonly claim?: Buffer;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Every view but the last: no more than one condition on the one small item. */
const takeOne = (id: string, claim: Buffer, passwordId: string | undefined, isLast: boolean) => {
  const now = new Date().toISOString();
  const limit = isLast
    ? '#views = lastView'
    : '(attribute_not_exists(lastView) OR #views < lastView)';
  const password =
    passwordId === undefined ? 'attribute_not_exists(passwordId)' : 'passwordId = :passwordId';
  // The last view plans the end of the share in the same write, so that no crash leaves its content behind.
  const plan = ends.planned(now, id);
  return updateIf({
    Key: keys.shareViews(id),
    UpdateExpression: `SET #views = #views + :one, ${shiftClaims}${isLast ? ', endedAt = :now, gsi1pk = :endsPk, gsi1sk = :endsSk' : ''}`,
    ConditionExpression: `attribute_exists(pk) AND ${limit} AND (attribute_not_exists(expiresAt) OR expiresAt > :now) AND attribute_not_exists(takenDown) AND attribute_not_exists(ownerSuspended) AND ${password} AND NOT contains(claims, :claim)`,
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':claim': claim,
      ':now': now,
      ...(passwordId !== undefined && { ':passwordId': passwordId }),
      ...(isLast && { ':endsPk': plan.gsi1pk, ':endsSk': plan.gsi1sk }),
    },
  });
};

/** What the gate said to a claim: the view is taken, or should be tried as the last one, or as one before. */
const verdictOf = (
  { written, item }: WriteOutcome,
  claim: Buffer,
  visitor: Visitor,
): { readonly gate: StoredGate; readonly isTaken: boolean } => {
  if (!item) throw notFound();
  const gate = item as unknown as StoredGate;
  // The SDK sends a write again when its answer was lost: this very claim is in the item then.
  if (written || gate.claims.some((known) => isSame(known, claim))) return { gate, isTaken: true };
  const { lastView, passwordId } = gate;
  const isOver =
    (lastView !== undefined && gate.views > lastView) ||
    (gate.expiresAt !== undefined && Date.parse(gate.expiresAt) <= Date.now());
  if (isOver || gate.takenDown || gate.ownerSuspended) throw gone();
  if (passwordId !== visitor.passwordId && passwordId !== undefined) {
    throw visitor.gavePassword ? passwordWrong() : passwordMissing();
  }
  return { gate, isTaken: false };
};

const maxTries = 6;

/**
 * Takes one view of a share in one conditional write, two for the last one: exactly as many succeed as the limit says,
 * whatever comes at once. `seen` is the gate as it was read, where it was: the first try is then the right one.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED when the share has a password other than the one that was checked
 */
export const takeView = async (
  id: string,
  visitor: Visitor,
  seen?: StoredGate,
): Promise<{ readonly gate: StoredGate; readonly claim: Buffer }> => {
  const claim = visitor.claim ?? newClaim();
  let isLast = seen?.lastView !== undefined && seen.views === seen.lastView;
  let passwordId = visitor.passwordId;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const outcome = await takeOne(id, claim, passwordId, isLast);
    const { gate, isTaken } = verdictOf(outcome, claim, visitor);
    if (isTaken) return { gate, claim };
    isLast = gate.views === gate.lastView;
    // The password was taken away since it was checked.
    passwordId = gate.passwordId;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The share keeps changing: try again');
};

/** A claim's opposite: known as well, so that a view is given back once. */
const oppositeOf = (claim: Buffer): Buffer =>
  createHash('sha256').update(claim).digest().subarray(0, claimBytes);

/** Gives a view back whose content could not be read: who saw nothing has used up nothing. */
export const giveViewBack = async (id: string, gate: StoredGate, claim: Buffer): Promise<void> => {
  const wasLast = gate.endedAt !== undefined;
  const plan = gate.expiresAt === undefined ? undefined : ends.planned(gate.expiresAt, id);
  const replan = plan
    ? ', gsi1pk = :endsPk, gsi1sk = :endsSk REMOVE endedAt'
    : ' REMOVE endedAt, gsi1pk, gsi1sk';
  await updateIf({
    Key: keys.shareViews(id),
    UpdateExpression: `SET #views = #views - :one, ${shiftClaims}${wasLast ? replan : ''}`,
    ConditionExpression:
      'attribute_exists(pk) AND contains(claims, :taken) AND NOT contains(claims, :claim)',
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':taken': claim,
      ':claim': oppositeOf(claim),
      ...(wasLast && plan && { ':endsPk': plan.gsi1pk, ':endsSk': plan.gsi1sk }),
    },
  });
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

/**
 * Counts a view of the page of a share without a limit, after it was seen. Nobody waits for it.
 */
export const countPageView = async (id: string): Promise<void> => {
  await updateIf({
    Key: keys.shareViews(id),
    UpdateExpression: 'SET #views = #views + :one',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(lastView)',
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: { ':one': 1 },
  });
};

/** Closes or opens the gate of a share whose owner is suspended, or active again. */
export const suspendShare = async (id: string, isSuspended: boolean): Promise<void> => {
  await updateIf({
    Key: keys.shareViews(id),
    UpdateExpression: isSuspended ? 'SET ownerSuspended = :true' : 'REMOVE ownerSuspended',
    ConditionExpression: 'attribute_exists(pk)',
    ...(isSuspended && { ExpressionAttributeValues: { ':true': true } }),
  });
};
