// The entries of a share in the lists of those with whom it is shared (decisions.md#shared-with-me).
import { updateFields } from '../../../../shared/db/field-update.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { diffIndexEntries } from '../../../../shared/lists/index-entries.ts';
import type { Audience } from '../../../../shared/permissions/audiences.ts';
import { createAudienceId } from '../record/audience.ts';
import { shareReadersJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import type { StoredShare } from '../record/share.ts';

/** Who can open a share, as stored. */
interface Opened {
  readonly audience?: Audience | undefined;
  readonly readers?: readonly number[] | undefined;
  readonly membersSince?: string | undefined;
}

/** What the entries of a share depend on. */
interface Listed extends Pick<StoredShare, 'id' | 'ownerId' | 'endedAt'>, Opened {}

/** An entry of a share in a list: whose it was when it was written, and since when it is there. */
export interface ReceivedEntry extends Key {
  readonly id: string;
  readonly ownerId: number;
}

/** That a share names a user as a reader. */
export interface ReaderEntry {
  readonly id: string;
  /** When it named the user first (ISO 8601). */
  readonly sharedAt: string;
  /** Whether it isn’t in the user’s list: the user removed it, or its content is deleted. */
  readonly isUnlisted?: true;
}

/** Returns when a share became one for all members (ISO 8601), after a change. */
export const getMembersSince = (share: Opened, now: string): string | undefined =>
  share.audience === 'members' ? (share.membersSince ?? now) : undefined;

/** Returns the users whom a share names. */
export const getReaders = (share: Opened | undefined): readonly number[] =>
  share?.audience === 'people' ? (share.readers ?? []) : [];

const listForMembers = (share: Listed | undefined): readonly ReceivedEntry[] => {
  if (share?.membersSince === undefined) return [];
  const { id, ownerId, membersSince: sharedAt } = share;
  return [{ ...shareKeys.members.at({ id, sharedAt }), id, ownerId }];
};

/**
 * Creates the writes that bring the lists of readers in line with a change of a share, for its transaction: the entry that
 * all members see, and the job that does the rest.
 */
export const receivedWrites = (
  before: Listed | undefined,
  after: Listed | undefined,
): readonly Write[] => {
  const entries = diffIndexEntries(listForMembers(before), listForMembers(after));
  const [old, fresh] = [getReaders(before), getReaders(after)];
  const added = fresh.filter((userId) => !old.includes(userId));
  const removed = old.filter((userId) => !fresh.includes(userId));
  const hasEnded = after?.endedAt !== undefined && before?.endedAt === undefined;
  const isLeftByMembers = before?.membersSince !== undefined && after?.membersSince === undefined;
  const isDue =
    added.length > 0 || removed.length > 0 || isLeftByMembers || (hasEnded && fresh.length > 0);
  const { id } = (after ?? before) as Listed;
  const at = new Date().toISOString();
  return isDue ? [...entries, enqueueWrite(shareReadersJob, { id, added, removed, at })] : entries;
};

/** Parses what names a user as a reader. */
export const parseReader = itemParser<ReaderEntry>('reader', ['id', 'sharedAt']);

/**
 * Returns the fields that say who can open a share, without one of its readers: without the last one, only its owner.
 * `undefined` if it doesn’t name the user.
 */
export const withoutReader = (share: Listed, userId: number) => {
  const readers = getReaders(share);
  if (!readers.includes(userId)) return undefined;
  const others = readers.filter((reader) => reader !== userId);
  return {
    audienceId: createAudienceId(),
    ...(others.length > 0
      ? { audience: 'people' as const, readers: others }
      : { audience: 'private' as const, readers: undefined }),
  };
};

/** Creates the writes that take a share out of a reader’s list, and leave that it names the user. */
export const unlistWrites = (userId: number, { id, sharedAt }: ReaderEntry): readonly Write[] => [
  updateFields(
    shareKeys.reader.at({ userId, id }),
    { isUnlisted: true },
    { expression: 'attribute_exists(pk)' },
  ),
  deleteItemWrite(shareKeys.received.at({ userId, sharedAt, id })),
];

/** Creates the writes that remove what a user has as a reader of a share. */
export const removeReaderWrites = (
  userId: number,
  { id, sharedAt }: ReaderEntry,
): readonly Write[] => [
  deleteItemWrite(shareKeys.reader.at({ userId, id })),
  deleteItemWrite(shareKeys.received.at({ userId, sharedAt, id })),
];
