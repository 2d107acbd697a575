import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { userKeys } from '../../../shared/auth/keys.ts';
import { signToken } from '../../../shared/auth/tokens.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Person } from '../users/test-users.ts';

const hour = 3_600_000;

/** Stores an app that the user has connected, and returns its access token. */
export const connectApp = async ({ id }: Person, changed: object = {}): Promise<string> => {
  const [client, lid, now] = ['client-hash', 'login-1', Date.now()];
  const at = new Date(now).toISOString();
  const item = {
    ...userKeys.app.at({ userId: id, client }),
    id: 7,
    userId: id,
    client,
    clientId: 'https://claude.example/client.json',
    name: 'Claude',
    host: 'claude.example',
    permissions: ['shares:view'],
    epoch: 0,
    createdAt: at,
    logins: {
      [lid]: { rotation: 0, createdAt: at, expiresAt: new Date(now + hour).toISOString() },
    },
    version: 1,
    ttl: Math.ceil((now + hour) / 1_000),
    ...changed,
  };
  await documentClient().send(new PutCommand({ TableName: tableName(), Item: item }));
  return signToken('app', { sub: String(id), app: client, lid, n: 0 }, hour);
};
