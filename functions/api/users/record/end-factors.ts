import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { deleteItemWrite, type Step, type Write } from '../../../../shared/db/transaction.ts';

/** Creates the steps that free accounts of providers, by their hash, which a user has connected. */
export const freeIdentities = (
  userId: number,
  hashes: readonly string[],
): readonly Step<'changed'>[] =>
  hashes.map((hash) => ({
    write: {
      Delete: {
        TableName: tableName(),
        Key: userKeys.identity.at({ hash }),
        ConditionExpression: 'attribute_not_exists(pk) OR userId = :userId',
        ExpressionAttributeValues: { ':userId': userId },
      },
    },
    refused: 'changed',
  }));

/** Creates the steps that free all that a user has connected. It reads only if there is any. */
export const freeAllIdentities = async ({
  id,
  hasIdentity,
}: Pick<StoredUser, 'id' | 'hasIdentity'>): Promise<readonly Step<'changed'>[]> => {
  if (!hasIdentity) return [];
  const [item] = await batchGet([userKeys.factors.at({ userId: id })]);
  return freeIdentities(id, Object.keys(item?.['identities'] ?? {}));
};

/** Creates the steps that end a user's connected accounts, and nothing else. They are refused if none is connected any more. */
export const endIdentities = async (
  user: Pick<StoredUser, 'id' | 'hasIdentity'>,
): Promise<readonly Step<'changed'>[]> => {
  if (!user.hasIdentity) return [];
  return [
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: userKeys.factors.at({ userId: user.id }),
          UpdateExpression: 'REMOVE identities SET version = version + :one',
          ConditionExpression: 'attribute_exists(identities)',
          ExpressionAttributeValues: { ':one': 1 },
        },
      },
      refused: 'changed',
    },
    ...(await freeAllIdentities(user)),
  ];
};

/** Creates the steps that end a user's second factors, recovery codes and connected accounts. */
export const endFactors = async (
  user: Pick<StoredUser, 'id' | 'hasIdentity'>,
): Promise<readonly (Write | Step<'changed'>)[]> => [
  deleteItemWrite(userKeys.factors.at({ userId: user.id })),
  ...(await freeAllIdentities(user)),
];
