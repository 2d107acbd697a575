import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, vi } from 'vitest';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { keys } from '../../../shared/db/table.ts';
import { answerReads, type MockedTable, sent, signedIn } from '../aws/errors.ts';

export const email = 'ann@example.com';

/** Ann's account, whose id is 7, and the links that are made for it, with mail on. */
export const useLinks = (table: MockedTable) => {
  const queue = mockClient(SQSClient);
  let user: StoredUser;
  beforeEach(async () => {
    table.reset();
    queue.reset();
    queue.on(SendMessageCommand).resolves({ MessageId: '1' });
    ({ user } = await signedIn({ email }));
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  return {
    queue,
    /** The account, with the link that was made for it last. */
    get user(): StoredUser {
      return user;
    },
    /** Lets a link be made, and the account be read as that has left it. Answers the token of the link. */
    async tokenFrom(make: () => Promise<string | undefined>): Promise<string> {
      table.on(UpdateCommand).resolves({ Attributes: { id: user.id } });
      const link = await make();
      const { ':hash': passwordTokenHash, ':expiresAt': passwordTokenExpiresAt } =
        sent(table, UpdateCommand).at(-1)?.ExpressionAttributeValues ?? {};
      user = { ...user, passwordTokenHash, passwordTokenExpiresAt };
      table.reset();
      answerReads(table, [{ ...keys.user(user.id), ...user }]);
      return new URL(link ?? '').searchParams.get('token') ?? '';
    },
    /** What goes out in transactions, one after another. */
    transactions: () => sent(table, TransactWriteCommand).map((input) => input.TransactItems),
    /** The updates of the account: limits have buckets of their own. */
    updates: () =>
      sent(table, UpdateCommand).filter(({ Key }) => Key?.['pk'] === keys.user(user.id).pk),
  };
};
