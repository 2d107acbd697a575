/** How long content outlives the end of a share, and a share that has ended its content (decisions.md#share-end); in ms. */
const contentRetentionMs = 120_000;
const tombstoneRetentionMs = 90 * 86_400_000;
const tokenMs = 60_000;

/** A share as it has to be. */
export interface ModelShare {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly language: 'html' | 'markdown';
  readonly viewLimit: number | undefined;
  readonly password: string | undefined;
  /** ms since 1970, as `endedAt`. */
  readonly expiresAt: number | undefined;
  /** When its last view was taken. */
  readonly endedAt: number | undefined;
  readonly views: number;
  /** Views of its page that a job is still to count, unless it is lost. */
  readonly uncounted: number;
  readonly version: number;
  readonly reports: number;
  readonly isTakenDown: boolean;
  /** Its content is deleted. */
  readonly isTombstone: boolean;
}

/** The shares of one owner, the newest first. */
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

/** What a reader is answered who brings what is asked for: 200 to someone who may see the content. */
export const readable = (share: ModelShare | undefined, model: Model, now: number): number => {
  if (!share || endOf(share) + tombstoneRetentionMs <= now) return 404;
  return statusOf(share, model, now) === 'active' ? 200 : 410;
};

/** Is it shown only to someone who has taken a view? */
export const requiresView = ({ password, viewLimit }: ModelShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/** What someone is answered who has taken a view at this time: a last view can be looked at until the token is over. */
export const readableWithView = (
  share: ModelShare | undefined,
  model: Model,
  { now, takenAt }: { readonly now: number; readonly takenAt: number | undefined },
): number => {
  const status = readable(share, model, now);
  if (!share || status === 404 || !requiresView(share)) return status;
  if (takenAt === undefined || takenAt + tokenMs <= now) return status === 200 ? 401 : status;
  const isPastTime = share.expiresAt !== undefined && share.expiresAt <= now;
  return share.isTakenDown || model.isSuspended || isPastTime ? 410 : 200;
};

/** What someone is answered who wants a view, with this password or with none. */
export const viewable = (
  share: ModelShare | undefined,
  model: Model,
  { now, given }: { readonly now: number; readonly given: string | undefined },
): number => {
  const status = readable(share, model, now);
  if (status !== 200 || share?.password === undefined) return status;
  return given === share.password ? 200 : 401;
};

/** One view more. */
export const viewed = (share: ModelShare, now: number): ModelShare => {
  const views = share.views + 1;
  return { ...share, views, endedAt: views === share.viewLimit ? now : share.endedAt };
};

/** Is it a new limit that the views have reached already? */
export const isReached = ({ views, viewLimit }: ModelShare, limit: number | null | undefined) =>
  limit != null && limit !== viewLimit && views >= limit;

/** What an edit makes of it; one that changes nothing leaves the version as it is. */
export const edited = (share: ModelShare, change: Partial<ModelShare>): ModelShare => {
  const after = { ...share, ...change };
  const names = Object.keys(change) as (keyof ModelShare)[];
  return names.every((name) => after[name] === share[name])
    ? share
    : { ...after, version: share.version + 1 };
};

/** What the minute's work leaves of it: its record, a tombstone, or nothing. */
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
