import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import type { Key } from '../../../../shared/db/key.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { diffIndexEntries } from '../../../../shared/lists/index-entries.ts';
import { tokenize } from '../../../../shared/lists/tokenize.ts';
import { can, type Permission, roleGrants } from '../../../../shared/permissions/permissions.ts';
import { isBuiltIn } from '../../../../shared/permissions/roles.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { toSortName } from '../../../../shared/text/sort-name.ts';
import { accountKeys } from './keys.ts';

/** Stands for all custom roles in an index. No role has this name. */
export const anyCustomRole = '*';

type Indexed = Pick<
  StoredUser,
  'id' | 'email' | 'username' | 'name' | 'role' | 'status' | 'extraPermissions' | 'deletesAt'
>;

/**
 * Permissions that have an index of their holders, to notify them. Who has one by a custom role is found by the role, so that a
 * change of the role writes nothing of its users.
 */
const indexedPermissions: readonly Permission[] = ['shares:manage'];

/** An index entry of a list or a search word, which refers to a user. */
interface IndexEntry extends Key {
  readonly id: number;
  /** For a search word: every word of the user, each after a space, for searches of several words. */
  readonly words?: string;
  /** For a search word: the sort key of lists sorted by name. */
  readonly sortName?: string;
  /** For the list by name and a search word: what filters match. */
  readonly role?: StoredUser['role'];
  readonly status?: StoredUser['status'];
}

const listIndexEntries = (user: Indexed): IndexEntry[] => {
  const { id, email, username, name, role, status, extraPermissions, deletesAt } = user;
  const held = [...(isBuiltIn(role) ? roleGrants[role] : []), ...extraPermissions];
  const words = tokenize(name, username, email, toShownEmail(email));
  const text = words.map((word) => ` ${word}`).join('');
  const sortName = toSortName(name);
  return [
    { ...accountKeys.byId.at({ id }), id },
    { ...accountKeys.byName.at({ sortName, id }), id, role, status },
    { ...accountKeys.byRoleAndStatus.at({ role, status, id }), id },
    ...(isBuiltIn(role)
      ? []
      : [{ ...accountKeys.byRoleAndStatus.at({ role: anyCustomRole, status, id }), id }]),
    ...(deletesAt === undefined ? [] : [{ ...accountKeys.leaving.at({ at: deletesAt, id }), id }]),
    ...indexedPermissions
      .filter((permission) => can(held, permission))
      .map((permission) => ({ ...userKeys.byPermission.at({ permission, id }), id })),
    ...words.map((word) => ({
      ...accountKeys.byWord.at({ word, id }),
      id,
      words: text,
      sortName,
      role,
      status,
    })),
  ];
};

/**
 * Creates the writes that update a user's index entries from `before` to `after`, for the transaction that creates, updates
 * or removes the user.
 */
export const indexWrites = (
  before: Indexed | undefined,
  after: Indexed | undefined,
): readonly Write[] =>
  diffIndexEntries(before ? listIndexEntries(before) : [], after ? listIndexEntries(after) : []);
