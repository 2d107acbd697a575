import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionId, userId } from './stored.ts';

const lifetimeSeconds = 3_600;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs an access token of the stored session. Each is another one. */
export const signAccessToken = (secret: string): string => {
  const kid = createHash('sha256').update(secret).digest('hex').slice(0, 8);
  const iat = Math.floor(Date.now() / 1_000);
  const signed = [
    { alg: 'HS256', typ: 'JWT', kid },
    {
      ...{
        sub: String(userId),
        sid: sessionId,
        n: 4,
        typ: 'access',
        iss: 'handbill',
        aud: 'handbill',
      },
      ...{ jti: randomUUID(), iat, exp: iat + lifetimeSeconds },
    },
  ]
    .map(encode)
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

/** Returns the event with an access token that was never sent before. */
export const withNewToken = (
  event: APIGatewayProxyEventV2,
  secret: string,
): APIGatewayProxyEventV2 => ({
  ...event,
  headers: { ...event.headers, authorization: `Bearer ${signAccessToken(secret)}` },
});
