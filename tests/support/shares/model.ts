import { type Asker, isOpenToAll, type OpensTo, refusal } from './audience-model.ts';

/** How long content is kept after the end, and the tombstone after that. ms. See decisions.md#share-end. */
const contentRetentionMs = 120_000;
const tombstoneRetentionMs = 90 * 86_400_000;
const tokenMs = 60_000;

/** The expected state of a share. */
export interface ModelShare {
  readonly id: string;
  readonly slug: string | undefined;
  readonly title: string;
  readonly text: string;
  /** Counts the contents that it had: a restored one is another. */
  readonly contentNo: number;
  /** Whether its content ever took a view, or was for fewer than all. */
  readonly isRestricted: boolean;
  readonly opensTo: OpensTo;
  readonly language: 'html' | 'markdown';
  readonly viewLimit: number | undefined;
  readonly password: string | undefined;
  /** ms since 1970, as `endedAt`. */
  readonly expiresAt: number | undefined;
  /** The time of its last view. */
  readonly endedAt: number | undefined;
  readonly views: number;
  /** Page views that a job will count, unless it is lost. */
  readonly uncounted: number;
  readonly version: number;
  readonly reports: number;
  /** The content that a reader has reported while the share wasn't open to all. */
  readonly reportedNo: number | undefined;
  readonly isTakenDown: boolean;
  /** Whether the content is deleted. */
  readonly isTombstone: boolean;
}

/** The shares of one owner, newest first. */
export interface Model {
  readonly shares: readonly ModelShare[];
  readonly isSuspended: boolean;
}

export const endOf = ({ endedAt, expiresAt }: ModelShare): number =>
  Math.min(endedAt ?? Number.POSITIVE_INFINITY, expiresAt ?? Number.POSITIVE_INFINITY);

export const isOver = (share: ModelShare, now: number): boolean => endOf(share) <= now;

export const statusOf = (share: ModelShare, { isSuspended }: Model, now: number): string => {
  if (share.isTakenDown) return 'taken-down';
  if (isOver(share, now)) return 'ended';
  return isSuspended ? 'suspended' : 'active';
};

/** Returns the expected status for a reader with all credentials: 200 if the content is readable. */
export const readable = (share: ModelShare | undefined, model: Model, now: number): number => {
  if (!share || endOf(share) + tombstoneRetentionMs <= now) return 404;
  return statusOf(share, model, now) === 'active' ? 200 : 410;
};

/** Returns whether readers must take a view first. */
export const requiresView = ({ password, viewLimit }: ModelShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/** Returns whether not everyone gets all parts of its page. */
export const requiresToken = (share: ModelShare): boolean =>
  requiresView(share) || !isOpenToAll(share);

/** Returns whether a view that was counted before still shows the share: it may have been the last. */
export const isStillReadable = (share: ModelShare, model: Model, now: number): boolean => {
  const isPastTime = share.expiresAt !== undefined && share.expiresAt <= now;
  return !(share.isTakenDown || model.isSuspended || isPastTime);
};

/** The token of a view: of whom, if the share wasn't open to all, and of which content. */
export interface ViewToken {
  readonly token: string;
  /** ms since 1970. */
  readonly takenAt: number;
  readonly contentNo: number;
  /** Counts the passwords of the share. Absent if none was entered. */
  readonly passwordNo: number | undefined;
  readonly reader: Asker | undefined;
}

/** How a page or a part of it is asked for. */
interface Look {
  readonly now: number;
  /** A frame has no session: its token says who asks. */
  readonly asker: Asker;
  readonly isFrame: boolean;
  /** The token that is given, and counts. */
  readonly valid: ViewToken | undefined;
}

/** Returns whether a token counts for the share as it is now. */
export const isValid = (
  { takenAt, contentNo, passwordNo }: ViewToken,
  share: ModelShare,
  { now, currentNo }: { readonly now: number; readonly currentNo: number },
): boolean => {
  const isRight = share.password === undefined || passwordNo === currentNo;
  return takenAt + tokenMs > now && contentNo === share.contentNo && isRight;
};

/** Returns the expected status of a page or a part of it, and how it is read, if it is: by a view that was counted, or anew. */
export const look = (
  share: ModelShare | undefined,
  model: Model,
  { now, asker, isFrame, valid }: Look,
): { readonly status: number; readonly by?: 'view' | 'owner' | 'reader' } => {
  const refused = refusal(share, asker);
  if (!share || refused) return { status: refused ?? 404 };
  const status = readable(share, model, now);
  if (asker === 'owner' && !isFrame) return status === 200 ? { status, by: 'owner' } : { status };
  const isOwn = isOpenToAll(share) || valid?.reader === undefined || valid.reader === asker;
  if (valid && isOwn && requiresToken(share) && isStillReadable(share, model, now)) {
    return { status: 200, by: 'view' };
  }
  if (status !== 200) return { status };
  return requiresView(share) ? { status: 401 } : { status, by: 'reader' };
};

/** Returns the expected status of a new view with this password, by those whom the share is for. */
export const viewable = (
  share: ModelShare | undefined,
  model: Model,
  { now, given }: { readonly now: number; readonly given: string | undefined },
): number => {
  const status = readable(share, model, now);
  if (status !== 200 || share?.password === undefined) return status;
  return given === share.password ? 200 : 401;
};

/** Adds a view. */
export const viewed = (share: ModelShare, now: number): ModelShare => {
  const views = share.views + 1;
  return { ...share, views, endedAt: views === share.viewLimit ? now : share.endedAt };
};

/** Returns whether the views have reached a new limit. */
export const isReached = ({ views, viewLimit }: ModelShare, limit: number | null | undefined) =>
  limit != null && limit !== viewLimit && views >= limit;

/** Applies an edit; one without changes keeps the version. */
export const edited = (share: ModelShare, change: Partial<ModelShare>): ModelShare => {
  const after = { ...share, ...change };
  const names = Object.keys(change) as (keyof ModelShare)[];
  return names.every((name) => after[name] === share[name])
    ? share
    : { ...after, version: share.version + 1 };
};

/** Applies the scheduled run: keeps the record, a tombstone or nothing. */
export const swept = (share: ModelShare, now: number): ModelShare[] => {
  const end = endOf(share);
  if (end + tombstoneRetentionMs < now) return [];
  const isBuriedNow = !share.isTombstone && end + contentRetentionMs < now;
  if (!isBuriedNow) return [share];
  return [{ ...share, isTombstone: true, password: undefined, version: share.version + 1 }];
};

export const withShare = (model: Model, id: string, after: ModelShare | undefined): Model => ({
  ...model,
  shares: model.shares.flatMap((one) => (one.id === id ? (after ? [after] : []) : [one])),
});
