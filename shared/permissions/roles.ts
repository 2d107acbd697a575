import { covers, isPermission, type Role, roleGrants, roleLabels, roles } from './permissions.ts';

/** Permissions that were removed from a user or a role in the last day (decisions.md#rights). */
export interface RemovedPermissions {
  /** When the last one was removed (ISO 8601). */
  readonly at: string;
  readonly permissions: readonly string[];
}

/** A role that was made in this service, as stored. */
export interface CustomRole {
  readonly name: string;
  /** The name of the role as text for people. */
  readonly label: string;
  readonly permissions: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** What was removed from it in the last day. */
  readonly removedPermissions?: RemovedPermissions;
}

/** The custom roles by name. `undefined`: they were not read, because nobody concerned has one. */
export type CustomRoles = ReadonlyMap<string, CustomRole> | undefined;

/** What custom roles grant, by name; as `CustomRoles`. */
export type RoleGrants = ReadonlyMap<string, Pick<CustomRole, 'permissions'>> | undefined;

/** The most custom roles. All are in one item, which each request of a user who has one reads. */
export const maxCustomRoles = 20;

/** What the name of a custom role looks like. */
export const roleNamePattern = /^[a-z][a-z0-9_-]{1,31}$/;

/** Returns whether a role is built in. */
export const isBuiltIn = (name: string): name is Role =>
  (roles as readonly string[]).includes(name);

/** Names that no custom role can have: `all` is no filter in lists, and `new` opens a form on the page. */
export const isReservedName = (name: string): boolean =>
  isBuiltIn(name) || name === 'all' || name === 'new';

/**
 * Returns what a role grants: nothing if it was deleted.
 * @throws Error for a custom role if these were not read
 */
export const getRoleGrants = (name: string, custom: RoleGrants): readonly string[] => {
  if (isBuiltIn(name)) return roleGrants[name];
  if (!custom) throw new Error('The custom roles were not read');
  return custom.get(name)?.permissions ?? [];
};

/** Returns the name of a role as text for people; its own name if it was deleted. */
export const getRoleLabel = (
  name: string,
  custom: ReadonlyMap<string, Pick<CustomRole, 'label'>> | undefined,
): string => (isBuiltIn(name) ? roleLabels[name] : (custom?.get(name)?.label ?? name));

/** A user's role and the permissions beside it. */
interface Holder {
  readonly role: string;
  readonly extraPermissions: readonly string[];
}

/** Combines the permissions of a user's role and the user's own, without duplicates. */
export const getEffectivePermissions = (
  { role, extraPermissions }: Holder,
  custom: RoleGrants,
): string[] => [...new Set([...getRoleGrants(role, custom), ...extraPermissions])];

/** Returns whether a custom role can hold an entry. Only super_admin may do everything, so that the last one stays. */
export const isForCustomRoles = (entry: string): boolean => isPermission(entry) && entry !== '*';

/** The rank of each built-in role, the highest is 1; custom roles share one. */
const ranks: Readonly<Record<Role, number>> = { super_admin: 1, admin: 2, user: 4, guest: 5 };
const customRank = 3;
const deletedRank = 6;

/** Returns the rank of a role, 1 for the highest: custom roles are below admin and above user, a deleted one below all. */
export const getRank = (name: string, custom: RoleGrants): number => {
  if (isBuiltIn(name)) return ranks[name];
  if (!custom) throw new Error('The custom roles were not read');
  return custom.has(name) ? customRank : deletedRank;
};

/**
 * Returns whether a role ranks at least as high as another, so that its holders can manage those of the other. Of two custom
 * roles, it must grant all that the other does (decisions.md#custom-roles).
 */
export const reaches = (one: string, other: string, custom: RoleGrants): boolean => {
  const [own, others] = [getRank(one, custom), getRank(other, custom)];
  if (own !== others || own !== customRank) return own <= others;
  const held = getRoleGrants(one, custom);
  return getRoleGrants(other, custom).every((entry) => covers(held, entry));
};

/** Returns whether a role ranks above another. */
export const outranks = (one: string, other: string, custom: RoleGrants): boolean =>
  reaches(one, other, custom) && !reaches(other, one, custom);
