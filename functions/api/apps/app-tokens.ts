import type { AppLogin, StoredApp } from '../../../shared/auth/app.ts';
import { hintAtRole } from '../../../shared/auth/custom-roles.ts';
import { signToken } from '../../../shared/auth/tokens.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { maxDays } from '../auth/tokens/powerful-tokens.ts';

const dayMs = 24 * 60 * 60_000;

/** How long an access token is valid. */
const accessMs = 60 * 60_000;

/** How long a login lasts after its last refresh. */
const unusedMs = 30 * dayMs;

/** How long a login lasts at most: as long as an API token that needs no password (decisions.md#connected-apps). */
export const maxLoginDays = maxDays;

/** Returns when a login that began and was last refreshed at these times (ms since 1970) expires. */
export const getLoginExpiry = (beganAt: number, refreshedAt: number): string =>
  new Date(Math.min(refreshedAt + unusedMs, beganAt + maxLoginDays * dayMs)).toISOString();

/** Returns the TTL of an app that is written now (ms since 1970): no login of it lasts longer. */
export const getAppTtl = (now: number): number => Math.ceil((now + unusedMs) / 1_000);

/** The login of an app. */
export interface Login {
  readonly user: Pick<StoredUser, 'role'>;
  readonly app: StoredApp;
  readonly id: string;
  readonly login: AppLogin;
}

/**
 * Creates the tokens of a login, as OAuth answers them. Until the next rotation, the refresh token is the same one each time.
 * `expires_in` is in seconds.
 */
export const createTokens = async ({ user, app, id, login }: Login) => {
  const { rotation, createdAt, rotatedAt, expiresAt } = login;
  const claims = { sub: String(app.userId), app: app.client, lid: id, n: rotation };
  const issuedAt = Date.parse(rotatedAt ?? createdAt);
  const [access, refresh] = await Promise.all([
    signToken('app', { ...claims, ...hintAtRole(user) }, accessMs),
    signToken('app-refresh', claims, Date.parse(expiresAt) - issuedAt, {
      issuedAt,
      id: `${id}.${rotation}`,
    }),
  ]);
  return {
    access_token: access,
    token_type: 'Bearer' as const,
    expires_in: accessMs / 1_000,
    refresh_token: refresh,
    scope: app.permissions.join(' '),
  };
};
