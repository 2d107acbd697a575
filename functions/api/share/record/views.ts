import { conditionalUpdate, type WriteOutcome } from '../../../../shared/db/conditional-write.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { expiryIndex } from './expiry-schedule.ts';
import { shareOpenedJob } from './jobs.ts';
import { shareKeys } from './keys.ts';
import { assertLinkOpen, linkCondition, linkCount } from './links.ts';
import { proofIncorrect, proofRequired } from './sealed.ts';
import {
  endedError,
  filesRetentionMs,
  isTombstoneExpired,
  modifiedMessage,
  notFound,
  parseAccess,
  passwordIncorrect,
  passwordRequired,
  type ShareAccess,
  takenDownError,
} from './share.ts';
import {
  createViewId,
  findViewId,
  pushViewId,
  pushViewIds,
  toViewId,
  type ViewIds,
} from './view-ids.ts';

/** What access depends on in a request. */
export interface Viewer {
  /** The `id` of the password or proof that was verified; absent if none was. */
  readonly passwordId?: string | undefined;
  /** Distinguishes an incorrect password or proof from a missing one. */
  readonly hasGivenPassword?: boolean;
  /** Whether the share is sealed, so that it takes a proof. */
  readonly isSealed?: boolean;
  /**
   * Ids of a view that may be requested twice, such as by a double click. The first is stored, any of them matches.
   * Defaults to a random id.
   */
  readonly viewIds?: ViewIds;
  /** The id of the recipient link that the share is viewed with. */
  readonly link?: string | undefined;
  /** The `audienceId` of the share when its viewer was admitted. A recipient link needs none. */
  readonly audienceId?: string | undefined;
  /** Whether the share has files, which the last viewer can load for a while. */
  readonly hasFiles?: boolean;
}

/** Requires that no view with one of these ids is stored yet. `names` are the placeholders of the ids. */
const newViewCondition = (names: readonly string[]): string =>
  names.map((name) => `NOT contains(recentViewIds, ${name})`).join(' AND ');

/** Keeps when the share was first and last viewed. */
const viewTimes = 'firstViewedAt = if_not_exists(firstViewedAt, :now), lastViewedAt = :now';

interface Attempt {
  readonly passwordId: string | undefined;
  readonly link: string | undefined;
  readonly audienceId: string | undefined;
  readonly hasFiles: boolean;
  readonly isLast: boolean;
}

/** Requires that who can open the share hasn't changed since its viewer was admitted, unless a link opens it. */
const audienceCondition = ({ link, audienceId }: Attempt): readonly string[] => {
  if (link !== undefined) return [];
  return [
    audienceId === undefined ? 'attribute_not_exists(audienceId)' : 'audienceId = :audienceId',
  ];
};

/** Tries to consume one view: a single conditional write on one item, which has the limits of share and link. */
const tryConsumeView = (id: string, [viewId, ...aliases]: ViewIds, attempt: Attempt) => {
  const { passwordId, link, audienceId, hasFiles, isLast } = attempt;
  const at = Date.now();
  const now = new Date(at).toISOString();
  const ofLink = link === undefined ? undefined : linkCondition(link, at);
  const limit = isLast
    ? '#views = viewsBeforeLast'
    : '(attribute_not_exists(viewsBeforeLast) OR #views < viewsBeforeLast)';
  const password =
    passwordId === undefined ? 'attribute_not_exists(passwordId)' : 'passwordId = :passwordId';
  // The last view schedules the purge in the same write, so that a crash can't leave the content behind.
  const purged = new Date(hasFiles ? at + filesRetentionMs : at).toISOString();
  const end = expiryIndex.end(purged, id);
  return conditionalUpdate({
    Key: shareKeys.access.at({ id }),
    UpdateExpression: `SET #views = #views + :one, ${viewTimes}, ${pushViewId}${ofLink ? `, ${ofLink.update}` : ''}${isLast ? ', endedAt = :now, gsi1pk = :endPk, gsi1sk = :endSk' : ''}`,
    ConditionExpression: [
      'attribute_exists(pk)',
      limit,
      '(attribute_not_exists(expiresAt) OR expiresAt > :now)',
      'attribute_not_exists(takenDown)',
      'attribute_not_exists(ownerSuspended)',
      password,
      ...audienceCondition(attempt),
      newViewCondition([':viewId', ...aliases.map((_, index) => `:alias${index}`)]),
      ...(ofLink ? [ofLink.expression] : []),
    ].join(' AND '),
    ExpressionAttributeNames: { '#views': 'views', ...ofLink?.names },
    ExpressionAttributeValues: {
      ':one': 1,
      ':viewId': viewId,
      ...Object.fromEntries(aliases.map((alias, index) => [`:alias${index}`, alias])),
      ':now': now,
      ...ofLink?.values,
      ...(passwordId !== undefined && { ':passwordId': passwordId }),
      ...(link === undefined && audienceId !== undefined && { ':audienceId': audienceId }),
      ...(isLast && { ':endPk': end.gsi1pk, ':endSk': end.gsi1sk }),
    },
  });
};

/** @throws AppError UNAUTHORIZED if the share's password or proof is not the one that was verified */
export const assertPassword = ({ passwordId }: ShareAccess, viewer: Viewer): void => {
  if (passwordId === undefined || passwordId === viewer.passwordId) return;
  if (viewer.isSealed) throw viewer.hasGivenPassword ? proofIncorrect() : proofRequired();
  throw viewer.hasGivenPassword ? passwordIncorrect() : passwordRequired();
};

/**
 * Returns whether the attempt consumed the view; if not, another may succeed. `isRepeated`: a request before this one had.
 * @throws AppError NOT_FOUND, GONE or UNAUTHORIZED if none can
 */
const resolveOutcome = (
  { written, item }: WriteOutcome,
  viewIds: ViewIds,
  viewer: Viewer,
): { readonly access: ShareAccess; readonly isConsumed: boolean; readonly isRepeated: boolean } => {
  if (!item) throw notFound();
  const access = parseAccess(item);
  // After a lost response the SDK repeats the write, which then finds its own view id.
  if (written || findViewId(access, viewIds)) {
    const isRepeated = !written && viewer.viewIds !== undefined;
    return { access, isConsumed: true, isRepeated };
  }
  const { viewsBeforeLast, endedAt, expiresAt } = access;
  if (viewer.link === undefined && access.audienceId !== viewer.audienceId) {
    // The viewer may no longer be one of those who can open it. The next request decides.
    throw new AppError('SERVICE_UNAVAILABLE', modifiedMessage);
  }
  const ends = [endedAt, expiresAt].filter((at) => at !== undefined).map((at) => Date.parse(at));
  if (ends.some(isTombstoneExpired)) throw notFound();
  if (access.takenDown) throw takenDownError();
  if (viewsBeforeLast !== undefined && access.views > viewsBeforeLast) throw endedError('views');
  if (ends.some((end) => end <= Date.now())) {
    throw endedError(endedAt === undefined ? 'time' : undefined);
  }
  if (access.ownerSuspended) throw endedError();
  assertLinkOpen(access, viewer.link);
  assertPassword(access, viewer);
  return { access, isConsumed: false, isRepeated: false };
};

const maxAttempts = 6;

/** A consumed view, by its stored id. */
interface ConsumedView {
  readonly access: ShareAccess;
  readonly viewId: string;
  /** Whether an earlier request has consumed it, such as that of the same form. */
  readonly isRepeated: boolean;
}

/** Consumes a view, retrying with the stored item when the condition fails. */
const consumeWithRetries = async (
  id: string,
  viewIds: ViewIds,
  viewer: Viewer,
  expected: ShareAccess,
): Promise<Pick<ConsumedView, 'access' | 'isRepeated'>> => {
  let isLast =
    expected.viewsBeforeLast !== undefined && expected.views === expected.viewsBeforeLast;
  let passwordId = viewer.passwordId;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const outcome = await tryConsumeView(id, viewIds, {
      passwordId,
      link: viewer.link,
      audienceId: viewer.audienceId,
      hasFiles: viewer.hasFiles ?? false,
      isLast,
    });
    const { access, isConsumed, isRepeated } = resolveOutcome(outcome, viewIds, viewer);
    if (isConsumed) return { access, isRepeated };
    isLast = access.views === access.viewsBeforeLast;
    // The password may have been removed since it was verified.
    passwordId = access.passwordId;
  }
  throw new AppError('SERVICE_UNAVAILABLE', modifiedMessage);
};

/**
 * Consumes one view by a conditional write, so that concurrent viewers can't exceed the limit. If it has become the
 * last one since `expected` was read, a second write follows.
 * @throws AppError NOT_FOUND, GONE, or UNAUTHORIZED if the share's password is not the one that was verified
 */
export const consumeView = async (
  id: string,
  viewer: Viewer,
  expected: ShareAccess,
): Promise<ConsumedView> => {
  const viewIds: ViewIds = viewer.viewIds ?? [createViewId()];
  try {
    const { access, isRepeated } = await consumeWithRetries(id, viewIds, viewer, expected);
    return { access, isRepeated, viewId: findViewId(access, viewIds) ?? viewIds[0] };
  } catch (error) {
    // The write may have succeeded without a response. A viewer with ids finds its view on the next request.
    const mayBeConsumed = !(error instanceof AppError) && !viewer.viewIds;
    if (mayBeConsumed)
      await refundView(id, viewIds[0], viewer.link, expected).catch(() => undefined);
    throw error;
  }
};

/** Derives the id that marks a view as refunded, so that it is refunded only once. */
const toRefundId = toViewId;

/** Reopens a share if the refunded view was its last. */
const reopenExpression = ({ views, viewsBeforeLast }: ShareAccess): string =>
  viewsBeforeLast !== undefined && views === viewsBeforeLast + 1
    ? ' REMOVE endedAt, gsi1pk, gsi1sk'
    : '';

/** The viewer gets the error after the refund. */
const refundTimeoutMs = 2_000;

/** Tries to refund a view of an open share, or of one that ended exactly as `ended` states. */
const tryRefund = (
  id: string,
  viewId: string,
  link: string | undefined,
  ended: ShareAccess | undefined,
) => {
  const state = ended
    ? 'endedAt = :endedAt AND #views = :expectedViews'
    : 'attribute_not_exists(endedAt)';
  const update = {
    Key: shareKeys.access.at({ id }),
    UpdateExpression: `SET #views = #views - :one, ${pushViewId}${link === undefined ? '' : `, ${linkCount('-')}`}${ended ? reopenExpression(ended) : ''}`,
    ConditionExpression: `attribute_exists(pk) AND contains(recentViewIds, :consumed) AND NOT contains(recentViewIds, :viewId) AND ${state}`,
    ExpressionAttributeNames: {
      '#views': 'views',
      ...(link !== undefined && { '#links': 'links', '#link': link }),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':consumed': viewId,
      ':viewId': toRefundId(viewId),
      ...(ended && { ':endedAt': ended.endedAt, ':expectedViews': ended.views }),
    },
  };
  return conditionalUpdate(update, { timeoutMs: refundTimeoutMs });
};

/** Refunds a view that may have been consumed. Reopens the share if that view ended it. */
const refundView = async (
  id: string,
  viewId: string,
  link: string | undefined,
  expected: ShareAccess,
): Promise<void> => {
  let access = expected;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { written, item } = await tryRefund(
      id,
      viewId,
      link,
      access.endedAt ? access : undefined,
    );
    if (written || !item) return;
    access = parseAccess(item);
    const { recentViewIds } = access;
    // Already refunded, never consumed, or consumed too long ago to tell.
    if (recentViewIds.includes(toRefundId(viewId)) || !recentViewIds.includes(viewId)) return;
  }
};

/**
 * Schedules the notification of the first view, if the owner asked for it, once `count` views were counted. The job
 * notifies once: the response to the first view may have been lost, so the second one schedules it, too.
 */
export const announceFirstView = async (
  id: string,
  { views, notify }: ShareAccess,
  count: number,
): Promise<void> => {
  if (notify && views <= count + 1) await enqueue(shareOpenedJob, { id });
};

/** Fewer than the item remembers, so that a retry recognizes every view of the write. */
const viewsPerWrite = 20;

/** Counts views of a share without a limit, unless one of them was counted before. */
const tryCountViews = (id: string, viewIds: readonly string[]): Promise<WriteOutcome> => {
  const names = viewIds.map((_, index) => `:viewId${index}`);
  return conditionalUpdate({
    Key: shareKeys.access.at({ id }),
    UpdateExpression: `SET #views = #views + :count, ${viewTimes}, ${pushViewIds(names)}`,
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(viewsBeforeLast) AND ${newViewCondition(names)}`,
    ExpressionAttributeNames: { '#views': 'views' },
    ExpressionAttributeValues: {
      ':count': viewIds.length,
      ':now': new Date().toISOString(),
      ...Object.fromEntries(viewIds.map((viewId, index) => [names[index], viewId])),
    },
  });
};

/** Counts page views of a share without a limit after they were served. Repeated ids count once. */
export const countPageViews = async (id: string, viewIds: readonly string[]): Promise<void> => {
  for (let start = 0; start < viewIds.length; start += viewsPerWrite) {
    let pending: readonly string[] = [...new Set(viewIds.slice(start, start + viewsPerWrite))];
    for (let attempt = 0; pending.length > 0 && attempt < maxAttempts; attempt++) {
      const { written, item } = await tryCountViews(id, pending);
      const access = parseAccess(item);
      if (written && access) await announceFirstView(id, access, pending.length);
      // Counted, deleted, or limited since, in which case views count when they are consumed.
      if (written || !access || access.viewsBeforeLast !== undefined) break;
      pending = pending.filter((viewId) => !access.recentViewIds.includes(viewId));
    }
  }
};
