import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { hashClientId } from '../../../functions/api/apps/clients/client-id.ts';
import { clientKeys } from '../../../functions/api/apps/clients/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { TestClient } from './apps.ts';

/** Creates a client whose document at an https address was read a moment ago. Its first redirect address is the one that it uses. */
export const newDescribedClient = async (
  id: string,
  redirectUris: readonly [string, ...string[]],
): Promise<TestClient> => {
  const now = Date.now();
  const item = {
    ...clientKeys.metadata.at({ hash: hashClientId(id) }),
    clientId: id,
    checkedAt: now,
    metadata: { name: 'Claude', redirectUris, fetchedAt: now },
    ttl: Math.ceil(now / 1_000) + 86_400,
  };
  await documentClient().send(new PutCommand({ TableName: tableName(), Item: item }));
  return { id, redirectUri: redirectUris[0] };
};
