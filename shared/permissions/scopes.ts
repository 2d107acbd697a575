import { isPermission, type Permission } from './permissions.ts';

/** What only API tokens need: their owners may do all of it. Beside these, a token has permissions. */
export const scopes = [
  'shares:view',
  'shares:create',
  'shares:update',
  'shares:delete',
  'profile:view',
  'profile:update',
  'notifications:view',
  'notifications:update',
  'checkin:create',
  'people:view',
] as const;

export type Scope = (typeof scopes)[number];

/**
 * What an API token needs for a route that signed-in users may call without a permission: a scope, a permission, nothing
 * (`none`), or whatever it has, it counts as signed out (`session`).
 */
export type RequiredScope = Scope | Permission | 'none' | 'session';

/** Returns whether an entry is a scope. */
export const isScope = (entry: string): entry is Scope =>
  (scopes as readonly string[]).includes(entry);

const wildcards = new Set(scopes.map((scope) => `${scope.split(':')[0]}:*`));

/** Returns whether an entry is about scopes: one of them, or all of a resource. `shares:*` has no `shares:manage`. */
export const isScopeEntry = (entry: string): boolean => isScope(entry) || wildcards.has(entry);

/** Returns whether an API token can have an entry: a permission, a scope, a whole resource such as `shares:*`, or `*`. */
export const isTokenEntry = (entry: string): boolean => isScopeEntry(entry) || isPermission(entry);

/** Returns the entries of an API token that are permissions, which it can't have without its owner. */
export const getPermissionEntries = (entries: readonly string[]): string[] =>
  entries.filter((entry) => !isScopeEntry(entry));

/** Returns the scopes that the entries of an API token grant. */
export const expandScopes = (entries: readonly string[]): ReadonlySet<Scope> =>
  new Set(
    scopes.filter((scope) =>
      entries.some(
        (entry) => entry === '*' || entry === scope || entry === `${scope.split(':')[0]}:*`,
      ),
    ),
  );

/** Returns whether an API token with the entries may publish: create shares or change them. `null` is all of its owner. */
export const canPublish = (entries: readonly string[] | null | undefined): boolean => {
  const granted = expandScopes(entries ?? ['*']);
  return granted.has('shares:create') || granted.has('shares:update');
};
