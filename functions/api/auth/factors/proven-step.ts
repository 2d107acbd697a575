import { signInAgain } from '../../../../shared/auth/actor.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Step } from '../../../../shared/db/transaction.ts';
import type { SessionActor } from '../../../../shared/http/route.ts';

/**
 * Creates the step by which a session counts as proven. By a second factor, it may do all again if it had to set one up. The
 * password, which signed in, is not enough for that, and counts only while there is no second factor. It throws UNAUTHORIZED if
 * the session has ended.
 */
export const provenStep = (
  { user, sessionId }: SessionActor,
  at: string,
  { hasFactor }: { readonly hasFactor: boolean },
): Step => ({
  write: {
    Update: {
      TableName: tableName(),
      Key: userKeys.session.at({ userId: user.id, id: sessionId }),
      UpdateExpression: hasFactor ? 'SET provenAt = :at REMOVE mustEnrol' : 'SET reenteredAt = :at',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(endedBy)',
      ExpressionAttributeValues: { ':at': at },
    },
  },
  refused: () => signInAgain(),
});
