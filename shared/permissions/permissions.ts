/** All permissions of routes. decisions.md#rights explains what each user can see. */
export const permissions = [
  'users:view',
  'users:create',
  'users:update',
  'users:delete',
  'users:export',
  'documents:view',
  'documents:create',
  'documents:update',
  'documents:delete',
  'documents:manage',
  'files:view',
  'files:create',
  'files:update',
  'files:delete',
  'files:manage',
  'calendar:view',
  'calendar:create',
  'calendar:update',
  'calendar:delete',
  'calendar:manage',
  'messages:view',
  'messages:create',
  'messages:delete',
  'dashboard:view',
  'shares:manage',
  'shares:export',
  'sales:view',
  'sales:create',
  'sales:update',
  'sales:delete',
  'sales:export',
  'audit:view',
  'audit:export',
  'settings:view',
  'settings:update',
  'jobs:manage',
  'roles:manage',
  'webhooks:manage',
] as const;

export type Permission = (typeof permissions)[number];

const resources = new Set(permissions.map((permission) => permission.split(':')[0]));

/** Returns whether an entry is a permission, a whole resource such as `users:*`, or `*`. */
export const isPermission = (entry: string): boolean =>
  entry === '*' ||
  (permissions as readonly string[]).includes(entry) ||
  (entry.endsWith(':*') && resources.has(entry.slice(0, -2)));

/** The built-in roles from the highest rank to the lowest (`roles.ts` has the custom ones). */
export const roles = ['super_admin', 'admin', 'user', 'guest'] as const;

export type Role = (typeof roles)[number];

/** Display names of the built-in roles. */
export const roleLabels: Readonly<Record<Role, string>> = {
  super_admin: 'Super admin',
  admin: 'Admin',
  user: 'User',
  guest: 'Guest',
};

/** Permissions of each built-in role, in addition to a user's own. */
export const roleGrants: Readonly<Record<Role, readonly string[]>> = {
  super_admin: ['*'],
  admin: ['users:*', 'documents:*', 'files:*', 'messages:*', 'calendar:*'],
  user: ['documents:view', 'files:view', 'messages:view', 'calendar:view'],
  guest: ['dashboard:view'],
};

/**
 * Returns whether one entry grants the permission: `*` grants all, `documents:*` all of documents, any other only
 * itself.
 */
const grants = (held: string, wanted: string): boolean =>
  held === '*' || held === wanted || (held.endsWith(':*') && wanted.startsWith(held.slice(0, -1)));

/** Returns whether the entries grant the permission. */
export const can = (held: readonly string[], wanted: Permission): boolean =>
  held.some((entry) => grants(entry, wanted));

/** Returns whether the entries cover another entry, which may be a wildcard. */
export const covers = (held: readonly string[], entry: string): boolean =>
  held.some(
    (one) =>
      one === '*' ||
      one === entry ||
      (one.endsWith(':*') && entry !== '*' && entry.startsWith(one.slice(0, -1))),
  );

/** Returns whether every new user may get the entry: not if it allows changing other accounts, roles, or everything. */
export const isForNewUsers = (entry: string): boolean =>
  isPermission(entry) &&
  entry !== '*' &&
  !entry.startsWith('roles:') &&
  (!entry.startsWith('users:') || entry === 'users:view');
