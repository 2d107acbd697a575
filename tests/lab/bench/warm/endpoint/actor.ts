import { createHash, type webcrypto } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { errors, type JWTHeaderParameters, jwtVerify } from 'jose';
import * as z from 'zod';
import type { StoredSession } from '../../../../../shared/auth/actor.ts';
import { userKeys } from '../../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../../shared/auth/user.ts';
import { getRoleGrants } from '../../../../../shared/permissions/roles.ts';
import { HttpError } from './errors.ts';
import { client, readTwo, TableName } from './table.ts';

export interface Actor {
  readonly user: StoredUser;
  readonly permissions: readonly string[];
}

const Claims = z.object({
  sub: z.string().regex(/^(0|[1-9]\d{0,15})$/),
  sid: z.string().regex(/^[\w-]{1,64}$/),
  typ: z.literal('access'),
  iat: z.number(),
});

const leewaySeconds = 60;
const hourMs = 3_600_000;

const unauthorized = () => new HttpError(401, 'UNAUTHORIZED', 'Sign in');

let signing: { readonly kid: string; readonly key: webcrypto.CryptoKey } | undefined;

const readKey = async ({ kid }: JWTHeaderParameters): Promise<webcrypto.CryptoKey> => {
  if (!signing) {
    const secret = process.env['JWT_SECRET'] ?? '';
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const bytes = new TextEncoder().encode(secret);
    signing = {
      kid: createHash('sha256').update(secret).digest('hex').slice(0, 8),
      key: await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']),
    };
  }
  if (kid !== signing.kid) throw unauthorized();
  return signing.key;
};

const readClaims = async (authorization: string | undefined): Promise<z.output<typeof Claims>> => {
  const token = authorization?.match(/^bearer +([\w.-]+)$/i)?.[1];
  if (token === undefined) throw unauthorized();
  try {
    const { payload } = await jwtVerify(token, readKey, {
      algorithms: ['HS256'],
      issuer: 'handbill',
      audience: 'handbill',
      requiredClaims: ['exp', 'iat', 'jti'],
    });
    const claims = Claims.parse(payload);
    if (claims.iat > Date.now() / 1_000 + leewaySeconds) throw unauthorized();
    return claims;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.core.$ZodError)
      throw unauthorized();
    throw error;
  }
};

/** Returns the user of an access token; reads user and session from the table. */
export const authenticate = async (authorization: string | undefined): Promise<Actor> => {
  const { sub, sid } = await readClaims(authorization);
  const sessionKey = userKeys.session.at({ userId: Number(sub), id: sid });
  const [user, session] = await readTwo<StoredUser, StoredSession>(
    userKeys.record.at({ id: Number(sub) }),
    sessionKey,
  );
  const now = Date.now();
  if (
    user?.status !== 'active' ||
    session?.epoch !== user.sessionEpoch ||
    Date.parse(session.expiresAt) <= now
  ) {
    throw unauthorized();
  }
  if (now - Date.parse(session.lastUsedAt ?? session.createdAt) >= hourMs) {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: sessionKey,
        UpdateExpression: 'SET lastUsedAt = :now',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':now': new Date(now).toISOString() },
      }),
    );
  }
  return { user, permissions: [...getRoleGrants(user.role, undefined), ...user.extraPermissions] };
};

export const can = ({ permissions }: Actor, wanted: string): boolean =>
  permissions.some(
    (held) =>
      held === '*' ||
      held === wanted ||
      (held.endsWith(':*') && wanted.startsWith(held.slice(0, -1))),
  );

export const authorize = (actor: Actor, wanted: string): void => {
  if (!can(actor, wanted)) {
    throw new HttpError(403, 'FORBIDDEN', `Missing permission: ${wanted}.`);
  }
};
