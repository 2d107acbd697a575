import { afterEach, beforeEach, vi } from 'vitest';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { answerReads, type MockedTable, type SignedIn, signedIn } from '../aws/errors.ts';

const TableName = 'handbill-test';

/** The start time of each test (ms since 1970). */
export const start = Date.parse('2026-11-21T12:00:00Z');

/** Signs in Ann, who has a password, in the mocked table at `start` before each test. */
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

/** Returns the write that deletes an existing item. */
export const removal = (Key: object) => ({
  Delete: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' },
});
