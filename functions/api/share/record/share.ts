import { AppError } from '../../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../../shared/runtime/retry.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import type { TextsRef } from '../../../../shared/storage/stored-text.ts';
import type { StoredPassword } from './share-password.ts';

export const languages = ['html', 'markdown'] as const;
export type Language = (typeof languages)[number];

/** A share as the table keeps it, without its keys, its gate and its texts. */
export interface StoredShare {
  readonly id: string;
  readonly ownerId: number;
  readonly language: Language;
  readonly title?: string;
  readonly description?: string;
  readonly viewLimit?: number;
  readonly password?: StoredPassword;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  readonly expiresAt?: string;
  /** Absent once the share has ended and its texts are deleted. */
  readonly texts?: TextsRef;
  /** When it was found to have ended: the record is a tombstone from then on. */
  readonly endedAt?: string;
  /** When its owner, or a moderator, ended it before its views or its time did. */
  readonly closedAt?: string;
  readonly takenDownAt?: string;
  /** How often it was reported since somebody last decided about it, and when first. */
  readonly reports?: number;
  readonly reportedAt?: string;
  /** How often it was reported at all. */
  readonly totalReports?: number;
}

/**
 * The small item that every view passes and counts in: what the condition of that one write needs, so that a view is
 * one write unit whatever the size of the share.
 */
export interface ShareAccess {
  readonly views: number;
  /** The views after which just one is left; absent without a limit. A condition can't subtract. */
  readonly lastView?: number;
  readonly expiresAt?: string;
  /** Names the password that has to be given; another one with every change of it. */
  readonly passwordId?: string;
  /** While a moderator has taken the share down, or its owner is suspended. */
  readonly takenDown?: true;
  readonly ownerSuspended?: true;
  /** Ids of the latest claims, the newest first: a claim whose answer was lost is known by it. */
  readonly claims: readonly string[];
  /** When the last view was taken, or somebody ended it. */
  readonly endedAt?: string;
}

/** A share with its gate, as they are now. */
export interface FoundShare {
  readonly share: StoredShare;
  readonly gate: ShareAccess;
}

/** A share that was opened; where it was a view, the gate has counted it. */
export interface OpenedShare extends FoundShare {
  readonly source: string;
  /** Of Markdown. */
  readonly html: string | undefined;
}

/** How long after its end a share's content is deleted: longer than a view token is good (decisions.md#share-end). */
export const keptAfterEndMs = 120_000;

/** How long a share that has ended answers 410 before it is forgotten (decisions.md#share-end). */
export const tombstoneMs = 90 * 86_400_000;

export const notFound = () => new AppError('NOT_FOUND', 'There is no such share');
export const endedError = () =>
  new AppError(
    'GONE',
    'This share has ended: its views are used up, its time is over, or it was ended by hand',
  );
export const takenDownError = () => new AppError('GONE', 'This share was taken down');
export const passwordRequired = () =>
  new AppError('UNAUTHORIZED', 'This share asks for a password');
export const passwordIncorrect = () => new AppError('UNAUTHORIZED', 'The password is wrong');

const keepsChanging = 'The share keeps changing: try again';

/**
 * Tries a change again that answers `undefined` where somebody else was faster, as a view is.
 * @throws AppError SERVICE_UNAVAILABLE when it never comes through
 */
export const untilChanged = retryOnConflict(keepsChanging, 6);

/** The same of what takes a share away, which no view gets in the way of. */
export const untilRemoved = retryOnConflict(keepsChanging, 4);

/** The version that moderators see: reports count in it, which are none of the owner's business. */
export const moderationVersion = ({ version, totalReports = 0 }: StoredShare): number =>
  version + totalReports;

/** The address of a share's page. */
export const getUrl = (id: string): string => `${getSetting('PUBLIC_URL')}/s/${id}`;

/** What is still open: a number, or null without a limit. */
export const countViewsLeft = ({ share, gate: access }: FoundShare): number | null =>
  share.viewLimit === undefined ? null : Math.max(0, share.viewLimit - access.views);

/** When a share ended or will end by time, or ended by its last view or by hand (ms since 1970); `undefined` while it is open. */
export const getEnd = ({ share, gate: access }: FoundShare): number | undefined => {
  const ends = [share.endedAt, access.endedAt, share.expiresAt].filter((at) => at !== undefined);
  return ends.length === 0 ? undefined : Math.min(...ends.map((at) => Date.parse(at)));
};

/** Has the share ended, by views, by time or by hand, whatever of it is still stored? */
export const hasEnded = (found: FoundShare): boolean => {
  const end = getEnd(found);
  return countViewsLeft(found) === 0 || (end !== undefined && end <= Date.now());
};

/** Is a share forgotten that ended at this time (ms since 1970), whatever of it is still stored? */
export const isTombstoneExpired = (end: number | undefined): boolean =>
  end !== undefined && end + tombstoneMs <= Date.now();

/** What becomes of a share: for its owner and for moderators. */
export type ShareStatus = 'active' | 'ended' | 'taken-down' | 'suspended';

export const getShareStatus = (found: FoundShare): ShareStatus => {
  if (found.gate.takenDown) return 'taken-down';
  if (hasEnded(found)) return 'ended';
  return found.gate.ownerSuspended ? 'suspended' : 'active';
};

/**
 * Refuses a share that readers can't have: taken down, ended, or of a suspended owner.
 * @throws AppError GONE, or NOT_FOUND once a tombstone's time is over
 */
export const assertOpen = (found: FoundShare): void => {
  if (isTombstoneExpired(getEnd(found))) throw notFound();
  const status = getShareStatus(found);
  if (status === 'taken-down') throw takenDownError();
  if (status !== 'active') throw endedError();
};
