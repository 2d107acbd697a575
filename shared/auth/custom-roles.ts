import { batchGet } from '../db/dynamodb.ts';
import { type Item, itemParser } from '../db/item-parser.ts';
import { keyFamily } from '../db/key.ts';
import { type CustomRole, type CustomRoles, isBuiltIn } from '../permissions/roles.ts';

export const roleKeys = {
  /** All custom roles. */
  all: keyFamily('ROLES', 'ALL'),
  /** Number of users of a custom role, which exists as long as the role does. */
  users: keyFamily('ROLES', 'USERS#{role}'),
} as const;

/** The custom roles as stored, without keys. */
export interface StoredRoles {
  readonly roles: readonly CustomRole[];
  /** Advanced by each change of any of them. */
  readonly version: number;
}

const parseStored = itemParser<StoredRoles>('list of custom roles', ['roles', 'version']);

/** Parses the custom roles; there are none without the item. `version` is 0 then. */
export const parseStoredRoles = (item: Item | undefined): StoredRoles =>
  parseStored(item) ?? { roles: [], version: 0 };

/** Returns the custom roles of a stored item by name. */
export const toCustomRoles = ({ roles }: StoredRoles): NonNullable<CustomRoles> =>
  new Map(roles.map((role) => [role.name, role]));

/** Reads the custom roles in one round trip, strongly consistent unless `isEventual`. */
export const readCustomRoles = async (
  options: { readonly isEventual?: true } = {},
): Promise<NonNullable<CustomRoles>> => {
  const [item] = await batchGet([roleKeys.all.at()], options);
  return toCustomRoles(parseStoredRoles(item));
};

/** Reads the custom roles if one of these roles is one; otherwise it takes no round trip. */
export const readRolesFor = async (
  names: readonly string[],
  options: { readonly isEventual?: true } = {},
): Promise<CustomRoles> => (names.every(isBuiltIn) ? undefined : readCustomRoles(options));

/** Reads the custom roles if one of these users has one, as `readRolesFor`. */
export const readRolesOf = (
  users: readonly ({ readonly role: string } | undefined)[],
  options: { readonly isEventual?: true } = {},
): Promise<CustomRoles> =>
  readRolesFor(
    users.flatMap((user) => user?.role ?? []),
    options,
  );

/** Returns the claim that hints at a user's custom role; none for a built-in role. */
export const hintAtRole = ({ role }: { readonly role: string }): { readonly cr?: true } =>
  isBuiltIn(role) ? {} : { cr: true };
