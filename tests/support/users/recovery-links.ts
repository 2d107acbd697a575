import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, vi } from 'vitest';
import { userKeys } from '../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { answerReads, type MockedTable, sent, signedIn } from '../aws/errors.ts';

export const email = 'ann@example.com';

/** Creates Ann's account (id 7) and its links before each test, with email enabled. */
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
    /** The account with its latest link. */
    get user(): StoredUser {
      return user;
    },
    /** Creates a link, stores it in the mocked account and returns its token. */
    async tokenFrom(make: () => Promise<string | undefined>): Promise<string> {
      table.on(UpdateCommand).resolves({ Attributes: { id: user.id } });
      const link = await make();
      const { ':hash': passwordTokenHash, ':expiresAt': passwordTokenExpiresAt } =
        sent(table, UpdateCommand).at(-1)?.ExpressionAttributeValues ?? {};
      user = { ...user, passwordTokenHash, passwordTokenExpiresAt };
      table.reset();
      answerReads(table, [{ ...userKeys.record.at({ id: user.id }), ...user }]);
      return new URL(link ?? '').searchParams.get('token') ?? '';
    },
    /** Returns the writes of each transaction in order. */
    transactions: () => sent(table, TransactWriteCommand).map((input) => input.TransactItems),
    /** Returns the updates of the account, without those of rate limits. */
    updates: () =>
      sent(table, UpdateCommand).filter(
        ({ Key }) => Key?.['pk'] === userKeys.record.partition({ id: user.id }).pk,
      ),
  };
};
