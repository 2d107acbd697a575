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

/** Returns the expected status for a reader with a view: a last view stays readable until its token expires. */
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

/** Returns the expected status of a new view with this password. */
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
