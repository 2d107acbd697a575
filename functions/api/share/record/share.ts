import { itemParser } from '../../../../shared/db/item-parser.ts';
import { getExpiry } from '../../../../shared/input/share-age.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import type { ShareFile } from '../../../../shared/share-files/share-file.ts';
import type { TextsRef } from '../../../../shared/storage/stored-text.ts';
import type { StoredOptions } from './options.ts';
import type { SealedInfo, StoredProof } from './sealed.ts';
import type { StoredPassword } from './share-password.ts';

export const languages = ['html', 'markdown'] as const;
export type Language = (typeof languages)[number];

/** Who can end a share. */
export const closers = ['owner', 'moderator', 'reader'] as const;
export type Closer = (typeof closers)[number];

/** Who handed a share in without an account. */
export interface Submitter {
  /** The share request that it answers. */
  readonly requestId: string;
  /** What was typed as a name. */
  readonly name: string;
  /** What counts towards the owner's storage until the content is deleted. */
  readonly bytes?: number;
}

/** What the record says of the files of a share. Their list is a text of its own. */
export interface StoredFiles {
  readonly ref: TextsRef;
  /** The path of the file that readers see first. */
  readonly main: string;
  /** The number of files, with the main page. */
  readonly count: number;
  /** The bytes of all files. */
  readonly bytes: number;
  /** The bytes of files that only revisions have. */
  readonly formerBytes?: number;
  /** Whether the share is its one file, such as a picture. */
  readonly only?: true;
}

/** A share as stored, without its keys, access item and texts. */
export interface StoredShare extends StoredOptions {
  readonly id: string;
  readonly ownerId: number;
  readonly language: Language;
  /** Who wrote it, if not its owner. */
  readonly from?: Submitter;
  /** The title that its Markdown has by itself. It is part of the content: told to nobody who isn’t admitted to that. */
  readonly contentTitle?: string;
  /** What opens it: its password, or of a sealed share the proof of its key. */
  readonly password?: StoredPassword | StoredProof;
  /** Whether its content and files are envelopes, which the service can’t open. */
  readonly sealed?: SealedInfo;
  /** Identifies who can open it, unless anyone can. */
  readonly audienceId?: string;
  /** Whether it was ever open to fewer than all, so that those who opened it are recorded. */
  readonly hasReceipts?: true;
  /** Since when it is for members, while it is (ISO 8601). */
  readonly membersSince?: string;
  /** Set by the first change of its content. */
  readonly hasRevisions?: true;
  /** Whether its current content was under a password, a limit or a narrower audience that is gone. */
  readonly isContentRestricted?: true;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** When it expires by itself. `getExpiry` says when it does, which may be sooner by its age. */
  readonly expiresAt?: string;
  /** Absent once the content of an ended share is deleted. */
  readonly texts?: TextsRef;
  /** Its files, if it has more than one text. Absent once the content is deleted. */
  readonly files?: StoredFiles;
  /** When the share ended. Set once the item is a tombstone. */
  readonly endedAt?: string;
  /** When it was ended, and by whom. */
  readonly closedAt?: string;
  readonly closedBy?: Closer;
  readonly takenDownAt?: string;
  /** The number of reports since the last decision, and the time of the first. */
  readonly reports?: number;
  readonly reportedAt?: string;
  /** The number of all reports. */
  readonly totalReports?: number;
  /** The id of the texts that someone reported who could open them: what moderators see of a share that isn't open to all. */
  readonly reportedTexts?: string;
}

/**
 * The small item that decides about views and counts them. It holds all that the condition of that write needs, so that
 * a view costs one write unit whatever the size of the share.
 */
export interface ShareAccess {
  readonly views: number;
  /** The view count at which one view is left; absent without a limit. Conditions can't subtract. */
  readonly viewsBeforeLast?: number;
  readonly expiresAt?: string;
  /** The `id` of the required password or proof. */
  readonly passwordId?: string;
  /** The `audienceId` of the share. */
  readonly audienceId?: string;
  readonly takenDown?: true;
  readonly ownerSuspended?: true;
  /** Whether the first view is worth a job. */
  readonly notify?: true;
  /** Ids of the latest views, newest first, by which a retry after a lost response is recognized. */
  readonly recentViewIds: readonly string[];
  /** When the last view was consumed, or the share was ended manually. */
  readonly endedAt?: string;
  /** When the first and the latest view were counted. */
  readonly firstViewedAt?: string;
  readonly lastViewedAt?: string;
  /** What views by recipient links require and count, by the ids of the links. */
  readonly links: Readonly<Record<string, LinkAccess>>;
}

/** What a view by a recipient link requires and counts. Times are in ms since 1970: each view writes every byte of all links. */
export interface LinkAccess {
  readonly views: number;
  readonly viewLimit?: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly firstViewedAt?: number;
  readonly lastViewedAt?: number;
}

/** Parses a stored share. */
export const parseShare = itemParser<StoredShare>('share', ['id', 'ownerId', 'version']);

/** Parses the access item of a share. */
export const parseAccess = itemParser<ShareAccess>('share access', [
  'views',
  'recentViewIds',
  'links',
]);

/** A share with its access item. */
export interface FoundShare {
  readonly share: StoredShare;
  readonly access: ShareAccess;
}

/** A share with the name of its owner. */
export interface OwnedShare extends FoundShare {
  readonly ownerName: string;
}

/** A share with its content. */
export interface OpenedShare extends FoundShare {
  readonly source: string;
  /** The rendered HTML of Markdown, without the extras of its page. */
  readonly html: string | undefined;
  /** Its files, and the path of the one that readers see first. */
  readonly manifest?: { readonly main: string; readonly files: readonly ShareFile[] } | undefined;
  /** What the addresses of its files begin with, on the host of snippets. */
  readonly filesPrefix?: string | undefined;
  /** The name of its owner, for who opened it. */
  readonly author?: string | undefined;
}

/** How long the content of an ended share is kept: longer than view tokens are valid (decisions.md#share-end). */
export const contentRetentionMs = 120_000;

/** How much longer the content is kept if its last reader may still load files. */
export const filesRetentionMs = 14 * 60_000;

/** How long an ended share responds with 410, and with 404 afterwards (decisions.md#share-end). */
export const tombstoneRetentionMs = 90 * 86_400_000;

export const notFound = () => new AppError('NOT_FOUND', 'Share not found.');

/** What ended a share; its owner, a moderator or a reader ended it before its limits did. */
export type EndCause = 'views' | 'time' | Closer;

const endedMessages: Partial<Record<EndCause, string>> = {
  views: 'This share has reached its view limit.',
  time: 'This share has expired.',
};

/** Whether it takes a password, as a sealed share never does. */
export const hasPassword = ({
  password,
  sealed,
}: Pick<StoredShare, 'password' | 'sealed'>): boolean =>
  password !== undefined && sealed === undefined;

/** Creates the error of an ended share. It says which limit ended it, but not who did. */
export const endedError = (cause?: EndCause) =>
  new AppError('GONE', (cause && endedMessages[cause]) ?? 'This share has ended.');
export const takenDownError = () => new AppError('GONE', 'This share was taken down.');
/** Creates the error for someone who is signed out and may be one of those who can open a share. */
export const signInRequired = () => new AppError('UNAUTHORIZED', 'Sign in to see this share.');
/** Creates the error for who comes by a link that asks for a code, and hasn’t entered one. */
export const codeRequired = () =>
  new AppError('UNAUTHORIZED', 'Open the link in a browser: it asks for a code.');
export const passwordRequired = () => new AppError('UNAUTHORIZED', 'Password required.');
export const passwordIncorrect = () => new AppError('UNAUTHORIZED', 'Incorrect password.');

export const modifiedMessage = 'The share is being modified. Try again.';

/**
 * Retries a change that returns `undefined` after a concurrent write, for example a view.
 * @throws AppError SERVICE_UNAVAILABLE after the last attempt
 */
export const retryOnConflict = createRetry(modifiedMessage, 6);

/** Returns the version for moderators. It includes the reports, which owners must not notice. */
export const moderationVersion = ({
  version,
  totalReports = 0,
}: Pick<StoredShare, 'version' | 'totalReports'>): number => version + totalReports;

/** Returns the URL of a share's page, by its id or slug. */
export const getUrl = (id: string): string => `${getSetting('PUBLIC_URL')}/s/${id}`;

/** Returns the title of a share for those who may read it: the given one, else that of its Markdown. */
export const getTitle = ({
  title,
  contentTitle,
}: Pick<StoredShare, 'title' | 'contentTitle'>): string | undefined => title ?? contentTitle;

/** Returns the number of views left, or null without a limit. */
export const countViewsLeft = ({
  share,
  access,
}: {
  readonly share: Pick<StoredShare, 'viewLimit'>;
  readonly access: Pick<ShareAccess, 'views'>;
}): number | null =>
  share.viewLimit === undefined ? null : Math.max(0, share.viewLimit - access.views);

/** Returns when a share ended or will expire (ms since 1970); `undefined` if it is open without expiration. */
export const getEnd = ({ share, access }: FoundShare): number | undefined => {
  const ends = [share.endedAt, access.endedAt, getExpiry(share)].filter((at) => at !== undefined);
  return ends.length === 0 ? undefined : Math.min(...ends.map((at) => Date.parse(at)));
};

/** Whether a share has ended by its views, its expiration or manually. */
export const hasEnded = (found: FoundShare): boolean => {
  const end = getEnd(found);
  return countViewsLeft(found) === 0 || (end !== undefined && end <= Date.now());
};

/** Whether the tombstone of a share that ended at this time (ms since 1970) has expired, even if it is still stored. */
export const isTombstoneExpired = (end: number | undefined): boolean =>
  end !== undefined && end + tombstoneRetentionMs <= Date.now();

export type ShareStatus = 'active' | 'ended' | 'taken-down' | 'suspended';

export const getShareStatus = (found: FoundShare): ShareStatus => {
  if (found.access.takenDown) return 'taken-down';
  if (hasEnded(found)) return 'ended';
  return found.access.ownerSuspended ? 'suspended' : 'active';
};

/** What ended a share, or took it down. */
export const findEndCause = (found: FoundShare): EndCause | undefined => {
  if (found.access.takenDown) return 'moderator';
  if (!hasEnded(found)) return undefined;
  return found.share.closedBy ?? (countViewsLeft(found) === 0 ? 'views' : 'time');
};

/** Returns how long the content of an ended share is kept, in ms (decisions.md#share-end). */
export const getContentRetentionMs = (found: FoundShare): number =>
  found.share.files && findEndCause(found) === 'views'
    ? contentRetentionMs + filesRetentionMs
    : contentRetentionMs;

/**
 * Asserts that readers can access a share.
 * @throws AppError GONE if it has ended, was taken down or its owner is suspended; NOT_FOUND once the tombstone expires
 */
export const assertOpen = (found: FoundShare): void => {
  if (isTombstoneExpired(getEnd(found))) throw notFound();
  const status = getShareStatus(found);
  if (status === 'taken-down') throw takenDownError();
  if (status !== 'active') throw endedError(findEndCause(found));
};
