import { describe, expect, it } from 'vitest';
import * as documents from '../../support/documents/documents.ts';
import { tell } from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { login, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();

const dayMs = 24 * 60 * 60_000;

type Query = Readonly<Record<string, string>>;

const ask = async (endpoint: string, { email }: Person, query: Query): Promise<Answer> => {
  const { body } = await login(email);
  return call(endpoint, { token: body.accessToken, query: { pageSize: '1', ...query } });
};

/** Reads a list from the cursor of its first page after n days. */
const late = async (endpoint: string, person: Person, days: number, query: Query = {}) => {
  const { body } = await ask(endpoint, person, query);
  expect(body.data.items).toHaveLength(1);
  pass(days * dayMs);
  const response = await ask(endpoint, person, { ...query, cursor: body.data.nextCursor });
  return { status: response.status, items: response.body.data?.items.length };
};

describe('a cursor before expired items', () => {
  it('returns an empty page of the trash', async () => {
    const ann = await documents.newAuthor();
    for (const title of ['One', 'Two', 'Three']) {
      await documents.trash(ann, await documents.made(ann, { title }));
      pass(1);
    }
    expect(await late('GET /api/documents/trash', ann, 29)).toEqual({ status: 200, items: 1 });
    expect(await late('GET /api/documents/trash', ann, 2)).toEqual({ status: 200, items: 0 });
  });

  it.each<Query>([{}, { unread: 'true' }, { type: 'system' }])(
    'returns an empty page of notifications %j',
    async (query) => {
      const ann = await documents.newAuthor();
      for (let n = 0; n < 3; n++) {
        await tell(ann);
        pass(1);
      }
      expect(await late('GET /api/notifications', ann, 89, query)).toEqual({
        status: 200,
        items: 1,
      });
      expect(await late('GET /api/notifications', ann, 2, query)).toEqual({
        status: 200,
        items: 0,
      });
    },
  );

  it('continues in reverse order with the remaining items', async () => {
    const ann = await documents.newAuthor();
    const make = async (title: string) => {
      const { body } = await login(ann.email);
      const client = { token: body.accessToken };
      await documents.trash(client, await documents.made(client, { title }));
      await tell(ann);
      pass(10 * dayMs);
    };
    await make('One');
    await make('Two');
    const left = { status: 200, items: 1 };
    const reversed = (sort: string) => ({ sort: `-${sort}` });
    expect(await late('GET /api/documents/trash', ann, 15, reversed('deletedAt'))).toEqual(left);
    expect(await late('GET /api/notifications', ann, 60, reversed('createdAt'))).toEqual(left);
  });
});
