import { afterEach, beforeEach, vi } from 'vitest';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { answerReads, type MockedTable, type SignedIn, signedIn } from '../aws/errors.ts';

const TableName = 'handbill-test';

/** When each test begins (ms since 1970). */
export const start = Date.parse('2026-11-21T12:00:00Z');

/** Ann, signed in and with a password: before each test the clock stands at `start`, and the mocked table holds her again. */
export const useAnn = (table: MockedTable): SignedIn => {
  let ann: SignedIn;
  beforeEach(async () => {
    table.reset();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    ann = await signedIn({ passwordHash: await hashPassword('correct horse'), sessionEpoch: 3 });
    answerReads(table, ann.items);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  return {
    get user() {
      return ann.user;
    },
    get session() {
      return ann.session;
    },
    get items() {
      return ann.items;
    },
    get token() {
      return ann.token;
    },
  };
};

/** The write that ends what has not ended yet. */
export const removal = (Key: object) => ({
  Delete: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' },
});
