import type { Actor } from '../../../shared/auth/actor.ts';
import { can, type Permission, permissions } from '../../../shared/permissions/permissions.ts';
import { isScope, scopes } from '../../../shared/permissions/scopes.ts';

/** What an app gets to ask for that names nothing: enough to publish a page and to change it. */
export const defaultScopes: readonly string[] = ['shares:create', 'shares:update', 'shares:view'];

/**
 * Everything that an app can ask for: our permissions and scopes. No wildcards, because what they grant grows and nobody could
 * read it on the page.
 */
export const askableScopes: readonly string[] = [...scopes, ...permissions];

/** What some clients ask every server for. They grant nothing here. https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims */
const ignoredScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access'];

const isPermission = (entry: string): entry is Permission =>
  (permissions as readonly string[]).includes(entry);

/**
 * Returns what the `scope` of a request asks for, each once, without the scopes of OpenID Connect; `unknown` is the first that
 * doesn't exist.
 */
export const parseScope = (
  scope: string | undefined,
): { readonly asked: readonly string[]; readonly unknown: string | undefined } => {
  const entries = (scope ?? '').split(' ').filter((entry) => entry !== '');
  const given = [...new Set(entries)].filter((entry) => !ignoredScopes.includes(entry));
  return {
    asked: given.length === 0 ? defaultScopes : given,
    unknown: given.find((entry) => !askableScopes.includes(entry)),
  };
};

/** Returns what of this a user may do. Scopes need no permission: they are what every user may. */
export const keepHeld = (asked: readonly string[], actor: Actor): string[] =>
  asked.filter((entry) => isScope(entry) || (isPermission(entry) && can(actor.permissions, entry)));
