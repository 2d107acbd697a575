import type { Actor } from '../../../../shared/auth/actor.ts';
import { getDirectoryFor } from '../../../../shared/users/directory.ts';
import { maxNamed, readUsers } from '../../../../shared/users/person.ts';
import { findOwn, loadShareLinks, type ShareLink } from '../links/links.ts';
import { loadReceipts, type StoredReceipt } from '../reading/receipts.ts';

/** A user who can open a share, or has opened it, and how often. Absent times: not yet. */
export interface ReaderReceipt {
  readonly id: number;
  /** Absent for a removed user, and beyond the users that are read for a list. */
  readonly name?: string;
  readonly email?: string;
  readonly avatar?: string;
  /** Whether the share names the user. */
  readonly isNamed: boolean;
  readonly opened: StoredReceipt | undefined;
}

/** Those who opened it last come first, then those who are named and haven't. */
const byLastOpened = (one: ReaderReceipt, other: ReaderReceipt): number =>
  (other.opened?.lastAt ?? '').localeCompare(one.opened?.lastAt ?? '');

/** Who can open a share and has opened it, by users and by recipient links. */
interface ShareReceipts {
  readonly readers: readonly ReaderReceipt[];
  /** The oldest first. */
  readonly links: readonly ShareLink[];
}

/**
 * Lists who can open a share by name, and who has opened it while it was not open to all, and its recipient links. Email
 * addresses of users are shown where people are found by name.
 * @throws AppError NOT_FOUND, also if it belongs to someone else
 */
export const listReceipts = async (actor: Actor, shareId: string): Promise<ShareReceipts> => {
  const [{ share, access }, receipts] = await Promise.all([
    findOwn(actor.user.id, shareId),
    loadReceipts(shareId),
  ]);
  const { readers = [] } = share;
  const byUser = new Map(receipts.map((receipt) => [receipt.userId, receipt]));
  const ids = [...new Set([...readers, ...byUser.keys()])];
  const [users, links] = await Promise.all([
    readUsers(ids.slice(0, maxNamed)),
    loadShareLinks(access),
  ]);
  const isEmailShown = getDirectoryFor(actor.permissions) === 'members';
  const named = ids
    .map((id) => {
      const { name, email, avatar } = users.get(id) ?? {};
      return {
        id,
        ...(name !== undefined && { name }),
        ...(isEmailShown && email !== undefined && { email }),
        ...(avatar !== undefined && { avatar }),
        isNamed: readers.includes(id),
        opened: byUser.get(id),
      };
    })
    .toSorted(byLastOpened);
  return { readers: named, links };
};
