/** Every permission a route can ask for. Who sees what is in decisions.md#rights. */
export const permissions = [
  'users:view',
  'users:create',
  'users:update',
  'users:delete',
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
  'sales:view',
  'sales:create',
  'sales:update',
  'sales:delete',
  'audit:view',
] as const;

export type Permission = (typeof permissions)[number];

const resources = new Set(permissions.map((permission) => permission.split(':')[0]));

/** Is it a permission that a route can ask for, a whole resource such as `users:*`, or `*`? */
export const isPermission = (entry: string): boolean =>
  entry === '*' ||
  (permissions as readonly string[]).includes(entry) ||
  (entry.endsWith(':*') && resources.has(entry.slice(0, -2)));

/** Roles from the highest rank to the lowest. */
export const roles = ['super_admin', 'admin', 'user', 'guest'] as const;

export type Role = (typeof roles)[number];

/** What people call the roles. */
export const roleLabels: Readonly<Record<Role, string>> = {
  super_admin: 'Super admin',
  admin: 'Admin',
  user: 'User',
  guest: 'Guest',
};

/** What each role grants beside a user's own permissions. */
export const roleGrants: Readonly<Record<Role, readonly string[]>> = {
  super_admin: ['*'],
  admin: ['users:*', 'documents:*', 'files:*', 'messages:*', 'calendar:*'],
  user: ['documents:view', 'files:view', 'messages:view', 'calendar:view'],
  guest: ['dashboard:view'],
};

/** Does one held entry grant the permission? `*` grants all, `documents:*` all of documents, any other entry only itself. */
const grants = (held: string, wanted: string): boolean =>
  held === '*' || held === wanted || (held.endsWith(':*') && wanted.startsWith(held.slice(0, -1)));

/** Do the held entries grant the permission? */
export const can = (held: readonly string[], wanted: Permission): boolean =>
  held.some((entry) => grants(entry, wanted));

/** Do the held entries cover another entry, which may be a wildcard itself? */
export const covers = (held: readonly string[], entry: string): boolean =>
  held.some(
    (one) =>
      one === '*' ||
      one === entry ||
      (one.endsWith(':*') && entry !== '*' && entry.startsWith(one.slice(0, -1))),
  );

/** May everybody who registers hold the entry? Not where it lets them change other accounts, or do anything at all. */
export const isForNewUsers = (entry: string): boolean =>
  isPermission(entry) && entry !== '*' && (!entry.startsWith('users:') || entry === 'users:view');

/** The role's entries followed by the user's own extras, each once. */
export const getEffectivePermissions = (role: Role, extras: readonly string[]): string[] => [
  ...new Set([...roleGrants[role], ...extras]),
];
