import { can, type Permission, permissions } from '../../../../shared/permissions/permissions.ts';
import {
  expandScopes,
  getPermissionEntries,
  type Scope,
  scopes,
} from '../../../../shared/permissions/scopes.ts';

/** What an API token or a connected app can have. */
export type Entry = Permission | Scope;

/** All that an API token can have, by area. */
export const tokenEntries: readonly Entry[] = [...scopes, ...permissions];

/** Returns the permissions that entries grant, wildcards such as `documents:*` included. */
export const expandPermissions = (entries: readonly string[]): ReadonlySet<Permission> =>
  new Set(permissions.filter((permission) => can(entries, permission)));

/** Returns the permissions and scopes that the entries of an API token grant. */
export const expandTokenEntries = (entries: readonly string[]): ReadonlySet<Entry> =>
  new Set([...expandScopes(entries), ...expandPermissions(getPermissionEntries(entries))]);
