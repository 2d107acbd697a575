// The user whom a share is by: its owner's record, whose name readers see.
import { userKeys } from '../../../../shared/auth/keys.ts';
import { isActive, parseUser, type StoredUser } from '../../../../shared/auth/user.ts';
import { mustVerify } from '../../../../shared/auth/verification.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import { LruCache } from '../../../../shared/runtime/lru-cache.ts';
import { ownerExists, type PresentUsers, readUsers } from '../../../../shared/users/person.ts';
import { notFound, type StoredShare } from './share.ts';

/** How many owners a process remembers. */
const maxKnown = 50_000;

/** The owners of the shares that this process has read, by the id of the share. */
const known = new LruCache<number>(maxKnown);

/** The record of a user who owned a share when this process last read it, being read. */
export interface ExpectedOwner {
  readonly id: number;
  readonly item: Promise<Item | undefined>;
}

const readUser = async (id: number): Promise<Item | undefined> =>
  (await batchGet([userKeys.record.at({ id })]))[0];

/**
 * Starts to read the owner of a share at the same time as the share, if this process knows who owned it. Only the share
 * says whether the expected owner is the right one, so `readOwner` gets both.
 */
export const expectOwner = (shareId: string): ExpectedOwner | undefined => {
  const id = known.get(shareId);
  if (id === undefined) return undefined;
  const item = readUser(id);
  // Nobody waits for it if the share can't be read.
  item.catch(() => undefined);
  return { id, item };
};

/** A share, with the user expected to own it. */
export interface WithOwner {
  readonly share: StoredShare;
  readonly owner?: ExpectedOwner | undefined;
}

/**
 * Returns a share's owner, and reads the record unless it is the expected one. It is always read by the same request: a
 * suspension takes effect before it reaches the access items.
 * @throws AppError NOT_FOUND if the owner was removed
 */
export const readOwner = async ({ share, owner }: WithOwner): Promise<StoredUser> => {
  const { id, ownerId } = share;
  known.set(id, ownerId);
  const item = await (owner?.id === ownerId ? owner.item : readUser(ownerId));
  if (!item) throw notFound();
  return parseUser(item);
};

/**
 * Asserts that a user whom a token names as a reader still has an account that can sign in.
 * @throws AppError NOT_FOUND
 */
export const assertReader = async (id: number): Promise<void> => {
  const item = await readUser(id);
  if (!item) throw notFound();
  const user = parseUser(item);
  if (!isActive(user) || mustVerify(user)) throw notFound();
};

/**
 * Reads the name of a share's owner, for callers who can see all shares.
 * @throws AppError NOT_FOUND
 */
export const readOwnerName = async ({ ownerId }: StoredShare): Promise<string> =>
  getOwnerName({ ownerId }, await readUsers([ownerId]));

/**
 * Returns the name of a share's owner.
 * @throws AppError NOT_FOUND if the owner was removed
 */
export const getOwnerName = (
  { ownerId }: Pick<StoredShare, 'ownerId'>,
  users: PresentUsers,
): string => {
  const owner = users.get(ownerId);
  if (!owner) throw notFound();
  return owner.name;
};

/**
 * Asserts that the owner of a share exists, for callers who can see all shares.
 * @throws AppError NOT_FOUND
 */
export const assertHasOwner = async (
  { ownerId }: StoredShare,
  callerId?: number,
): Promise<void> => {
  if (!(await ownerExists(ownerId, callerId))) throw notFound();
};
