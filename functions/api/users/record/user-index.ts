import type { StoredUser } from '../../../../shared/auth/user.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../../shared/db/table.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { tokenize, toSortName } from '../../../../shared/lists/tokenize.ts';
import {
  can,
  getEffectivePermissions,
  type Permission,
} from '../../../../shared/permissions/permissions.ts';

type Indexed = Pick<
  StoredUser,
  'id' | 'email' | 'username' | 'name' | 'role' | 'status' | 'extraPermissions'
>;

/** Permissions whose holders are told of something. */
const askedFor: readonly Permission[] = ['shares:manage'];

/** An item of a list, or of the words that a user is found by; it leads to the user. */
interface IndexItem extends Key {
  readonly id: number;
  /** Of a word: every word of the user, each with a space before it, for searches of several. */
  readonly words?: string;
  /** Of a word: what a list sorted by name sorts by. */
  readonly sortName?: string;
}

const listIndexItems = (user: Indexed): IndexItem[] => {
  const { id, email, username, name, role, status, extraPermissions } = user;
  const held = getEffectivePermissions(role, extraPermissions);
  const words = tokenize(name, username, email);
  const text = words.map((word) => ` ${word}`).join('');
  const sortName = toSortName(name);
  return [
    { ...keys.userInList(id), id },
    { ...keys.userByName(sortName, id), id },
    { ...keys.userByRoleAndStatus(role, status, id), id },
    ...askedFor
      .filter((permission) => can(held, permission))
      .map((permission) => ({ ...keys.userByPermission(permission, id), id })),
    ...words.map((word) => ({ ...keys.userByWord(word, id), id, words: text, sortName })),
  ];
};

const toWriteName = ({ pk, sk }: Key): `index ${string}` => `index ${pk} ${sk}`;

/**
 * The writes that bring a user's places in the lists and the search from `before` to `after`, for the transaction
 * that makes, changes or removes the user: at most one for each list and word, none for what stays as it is.
 */
export const indexWrites = (
  before: Indexed | undefined,
  after: Indexed | undefined,
): Record<`index ${string}`, Write> => {
  const byName = (user: Indexed | undefined) =>
    new Map((user ? listIndexItems(user) : []).map((item) => [toWriteName(item), item]));
  const [old, fresh] = [byName(before), byName(after)];
  const writes: Record<`index ${string}`, Write> = {};
  for (const [name, { pk, sk }] of old) {
    if (!fresh.has(name)) writes[name] = deleteItemWrite({ pk, sk });
  }
  for (const [name, item] of fresh) {
    if (JSON.stringify(old.get(name)) !== JSON.stringify(item)) {
      writes[name] = { Put: { TableName: tableName(), Item: item } };
    }
  }
  return writes;
};
