import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { auditKeys } from '../../../shared/audit/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { call } from '../../support/service/call.ts';
import { readPages } from '../../support/service/pages.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();

const dayMs = 86_400_000;
const start = Date.parse('2026-11-21T12:00:00Z');
/** A time before the tests, which excludes the audit entries of sign-ins. */
const beforeAnybody = { to: '2026-11-21T11:59:59Z' };

let root: Person;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  root = await newUserOf('super_admin');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

type Query = Readonly<Record<string, string>>;
const list = (query: Query = {}, { token } = root) => call('GET /api/audit', { token, query });
const namesOf = (items: { action: string }[]) => items.map(({ action }) => action);
const actions = async (query: Query) => namesOf((await list(query)).body.data.items);

/** Records an entry at a time. */
const note = async (action: string, at: string | number, fields: object = {}) => {
  vi.setSystemTime(at);
  await systemRecorder(action).record({ subject: 'thing:1', ...fields });
  vi.setSystemTime(start);
};

/** Reads all pages from the first to the last, by their cursors. */
const walk = async (query: Query): Promise<string[][]> =>
  (await readPages((at) => list({ ...query, ...at }))).map(({ items }) => namesOf(items));

/** Counts the subjects, so that each test has its own. */
let count = 0;
const newSubject = (): string => `thing:${++count + 1}`;

describe('GET /api/audit', () => {
  it('returns actor, action, subject, time and address', async () => {
    const bob = await newUserOf('user');
    const options = { token: root.token, params: { id: String(bob.id) } };
    vi.setSystemTime(start + 1_000);
    const response = await call('PUT /api/users/{id}', { ...options, body: { role: 'guest' } });
    const { status, body } = await list({ subject: `user:${bob.id}`, pageSize: '1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        items: [
          {
            id: expect.stringMatching(/^[\w-]{8}$/),
            at: '2026-11-21T12:00:01.000Z',
            action: 'user.update',
            actor: { id: root.id, name: 'Bob Example' },
            token: null,
            via: null,
            subject: `user:${bob.id}`,
            subjectName: 'Bob Example',
            address: '192.0.2.1',
            requestId: response.headers['x-request-id'],
            before: { role: 'user' },
            after: { role: 'guest' },
            users: [],
          },
        ],
        total: expect.any(Number),
        totalIsExact: false,
        page: 1,
        pageSize: 1,
        totalPages: expect.any(Number),
        nextCursor: expect.any(String),
      },
    });
  });

  it('keeps the name of a deleted user, as actor and as subject', async () => {
    const carl = await newUserOf('admin', { name: 'Carl Former' });
    await call('PUT /api/users/me', { token: carl.token, body: { phone: '+49 30 1234' } });
    await removeUser(carl.id, () => undefined, undefined, systemRecorder('user.delete'));
    const { items } = (await list({ subject: `user:${carl.id}` })).body.data;
    expect(items.map(({ action }: { action: string }) => action)).toContain('session.create');
    for (const item of items) expect(item.subjectName).toBe('Carl Former');
    expect((await list({ actor: String(carl.id) })).body.data.items[0].actor).toEqual({
      id: carl.id,
      name: 'Carl Former',
    });
  });

  it('returns no actor without a session, and only the id of a deleted actor whose name was not known', async () => {
    const subject = newSubject();
    const bob = await newUserOf('user');
    await note('thing.swept', start - 2, { subject });
    await note('thing.made', start - 1, { subject, actor: { id: bob.id } });
    await removeUser(bob.id, () => undefined, undefined, systemRecorder('user.delete'));
    expect((await list({ subject })).body.data.items).toMatchObject([
      { action: 'thing.made', actor: { id: bob.id, name: null }, before: null, after: null },
      { action: 'thing.swept', actor: null },
    ]);
  });
});

describe('GET /api/audit without a filter', () => {
  it('lists all months, newest first, with pages across months', async () => {
    vi.stubEnv('AUDIT_KEEP', '400d');
    const times = [
      '2025-12-31T23:59:59.999Z',
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.001Z',
      '2026-05-31T12:00:00.000Z',
      '2026-10-01T00:00:00.000Z',
      '2026-10-31T23:59:59.999Z',
      '2026-11-01T00:00:00.000Z',
    ];
    for (const [at, time] of times.entries()) await note(`thing.month-${at}`, time);
    const newestFirst = times.map((_, at) => `thing.month-${at}`).reverse();
    for (const pageSize of ['1', '2', '3', '7', '100']) {
      const pages = await walk({ ...beforeAnybody, pageSize });
      expect(pages.flat()).toEqual(newestFirst);
      expect(pages).toHaveLength(Math.ceil(7 / Number(pageSize)));
    }
    for (const page of [1, 2, 3, 4]) {
      const query = { ...beforeAnybody, pageSize: '2', page: String(page), count: 'true' };
      const { body } = await list(query);
      expect(namesOf(body.data.items)).toEqual(newestFirst.slice(2 * page - 2, 2 * page));
      expect(body.data).toMatchObject({ total: 7, totalIsExact: true, page, totalPages: 4 });
    }
    expect(await actions(beforeAnybody)).toEqual(newestFirst);
  });

  it('queries each shard once, whatever the span, and once more to count', async () => {
    const queriesOf = async (query: Query) => {
      const send = vi.spyOn(documentClient(), 'send');
      expect(await list(query)).toMatchObject({ status: 200 });
      const queries = send.mock.calls.filter(([command]) => command instanceof QueryCommand);
      send.mockRestore();
      return queries.length;
    };
    expect(await queriesOf({ to: '2026-09-15T00:00:00Z', from: '2026-06-15T00:00:00Z' })).toBe(16);
    expect(await queriesOf(beforeAnybody)).toBe(16);
    expect(await queriesOf({ ...beforeAnybody, count: 'true' })).toBe(2 * 16);
    expect(await queriesOf({ to: '2020-01-01T00:00:00Z' })).toBe(0);
  });

  it('lists entries of one shard and of all in order, in pages of any size', async () => {
    const stored = Array.from({ length: 400 }, (_, number) => {
      const at = new Date(Date.parse('2026-02-01T00:00:00Z') + number).toISOString();
      return { at, number };
    });
    const [{ pk } = { pk: '' }] = auditKeys.entry.partitions();
    const inOneShard = Array.from({ length: 2_000 }, (_, at) => `one-${at}`).filter(
      (id) => auditKeys.entry.at({ at: '', id }).pk === pk,
    );
    expect(inOneShard.length).toBeGreaterThan(60);
    await putItems(
      stored.map(({ at, number }) => {
        const id = (number < 60 && inOneShard[number]) || `n-${number}`;
        const entry = { at, id, action: 'thing.done', subject: `thing:${number}` };
        const rest = { address: '', requestId: '' };
        return { ...entry, ...rest, ...auditKeys.entry.at({ at, id }) };
      }),
    );
    const february = { from: '2026-02-01T00:00:00Z', to: '2026-02-28' };
    const subjects = stored.map(({ number }) => `thing:${number}`);
    for (const [sort, expected] of [
      ['at', subjects.toReversed()],
      ['-at', subjects],
    ] as const) {
      for (const pageSize of ['7', '100']) {
        const pages = await readPages((at) => list({ ...february, sort, pageSize, ...at }));
        const shown = pages.flatMap(({ items }) => items);
        expect(shown.map(({ subject }) => subject)).toEqual(expected);
      }
    }
  });

  it('counts on request; otherwise it tells how many entries there are at least', async () => {
    const subject = newSubject();
    for (const age of [1, 2, 3, 4, 5]) await note('thing.counted', start - age, { subject });
    const counted = async (query: Query) => {
      const { total, totalIsExact } = (await list({ subject, pageSize: '2', ...query })).body.data;
      return [total, totalIsExact];
    };
    expect(await counted({})).toEqual([3, false]);
    expect(await counted({ page: '2' })).toEqual([5, false]);
    expect(await counted({ page: '3' })).toEqual([5, true]);
    expect(await counted({ page: '4' })).toEqual([0, false]);
    expect(await counted({ pageSize: '5' })).toEqual([5, true]);
    expect(await counted({ count: 'true' })).toEqual([5, true]);
    expect(await counted({ count: 'true', action: 'thing.counted' })).toEqual([5, true]);
    expect(await counted({ action: 'thing.counted' })).toEqual([2, false]);
  });
});

describe('GET /api/audit with a filter', () => {
  it('lists the entries by one actor or about one subject', async () => {
    const [mine, other] = [newSubject(), newSubject()];
    await note('thing.a', start - 5, { subject: mine, actor: { id: 11 } });
    await note('thing.b', start - 4, { subject: other, actor: { id: 11 } });
    await note('thing.c', start - 3, { subject: mine, actor: { id: 12 } });
    await note('thing.d', start - 2, { subject: mine });
    expect(await actions({ actor: '11' })).toEqual(['thing.b', 'thing.a']);
    expect(await actions({ subject: mine })).toEqual(['thing.d', 'thing.c', 'thing.a']);
    expect(await actions({ subject: other })).toEqual(['thing.b']);
    expect(await actions({ actor: '13' })).toEqual([]);
    expect(await walk({ actor: '11', pageSize: '1' })).toEqual([['thing.b'], ['thing.a']]);
    expect((await walk({ subject: mine, pageSize: '2' })).map(({ length }) => length)).toEqual([
      2, 1,
    ]);
  });

  it('accepts a time range with any filter, including its start and excluding its end', async () => {
    const subject = newSubject();
    for (const hour of [1, 2, 3]) {
      await note(`thing.${hour}`, `2026-11-20T0${hour}:00:00Z`, { subject, actor: { id: 21 } });
    }
    const span = { from: '2026-11-20T01:00:00Z', to: '2026-11-20T03:00:00Z' };
    for (const filter of [{}, { subject }, { actor: '21' }]) {
      expect(await actions({ ...filter, ...span })).toEqual(['thing.2', 'thing.1']);
      const { from, to } = span;
      expect(await actions({ ...filter, from: to, to: '2026-11-20T04:00:00Z' })).toEqual([
        'thing.3',
      ]);
      expect(await actions({ ...filter, from: to, to: from })).toEqual([]);
    }
    // The same instants in other time zones.
    const elsewhere = { from: '2026-11-19T20:00:00-05:00', to: '2026-11-20T04:00:00.000+01:00' };
    expect(await actions(elsewhere)).toEqual(['thing.2', 'thing.1']);
  });

  it.each([
    ['actor', { actor: 'ann' }],
    ['actor', { actor: '0' }],
    ['subject', { subject: 'ann' }],
    ['subject', { subject: 'user:' }],
    ['subject', { subject: 'user:1', actor: '1' }],
    ['action', { action: 'Update a user' }],
    ['from', { from: 'yesterday' }],
    ['from', { from: '2026-02-30' }],
    ['to', { to: '2026-02-30T00:00:00Z' }],
    ['cursor', { cursor: 'x' }],
  ])('names an invalid %s for %j', async (field, query) => {
    expect(await list(query)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field }] } },
    });
  });

  it('accepts only a cursor from the same list', async () => {
    const subject = newSubject();
    await note('thing.a', start - 3, { subject });
    await note('thing.b', start - 2, { subject });
    const { nextCursor: cursor } = (await list({ subject, pageSize: '1' })).body.data;
    const others = [{}, { subject: 'thing:1' }, { subject, from: '2026-11-01T00:00:00Z' }];
    for (const query of others) {
      expect(await list({ ...query, cursor })).toMatchObject({ status: 400 });
    }
    const someone = await newUserOf('super_admin');
    expect(await list({ subject, cursor }, someone)).toMatchObject({ status: 400 });
    expect(await actions({ subject, cursor, pageSize: '1' })).toEqual(['thing.a']);
  });
});

describe('the retention of entries', () => {
  const filters: readonly [string, (subject: string) => Query][] = [
    ['without a filter', () => beforeAnybody],
    ['by actor', () => ({ actor: '31' })],
    ['by subject', (subject) => ({ subject })],
  ];

  it.each(filters)(
    'hides entries older than AUDIT_KEEP that are still stored: %s',
    async (_, of) => {
      vi.stubEnv('AUDIT_KEEP', '3d');
      const subject = newSubject();
      await note('thing.kept', start - 3 * dayMs, { subject, actor: { id: 31 } });
      await note('thing.gone', start - 3 * dayMs - 1, { subject, actor: { id: 31 } });
      const shown = (await actions(of(subject))).filter((action) => /kept|gone/.test(action));
      expect(shown).not.toContain('thing.gone');
      expect(shown).toContain('thing.kept');
      expect(await actions({ ...of(subject), from: '2026-01-01T00:00:00Z' })).not.toContain(
        'thing.gone',
      );
      vi.stubEnv('AUDIT_KEEP', '4d');
      expect(await actions(of(subject))).toContain('thing.gone');
    },
  );

  it.each(filters)('ends a list if its next page has expired: %s', async (_, of) => {
    vi.stubEnv('AUDIT_KEEP', '10d');
    vi.stubEnv('JWT_ACCESS_EXPIRES', '30d');
    const { token } = (
      await call('POST /api/auth/login', {
        body: { email: root.email, password: 'correct horse' },
      })
    ).body;
    const subject = newSubject();
    for (const hours of [1, 2, 3]) {
      await note(`thing.${hours}`, start - 9 * dayMs - hours, { subject, actor: { id: 31 } });
    }
    const query = { ...of(subject), to: new Date(start - 9 * dayMs).toISOString(), pageSize: '1' };
    const asked = { ...root, token };
    const { nextCursor } = (await list(query, asked)).body.data;
    expect(nextCursor).not.toBeNull();
    vi.setSystemTime(start + 2 * dayMs);
    const { status, body } = await list({ ...query, cursor: nextCursor }, asked);
    expect([status, body.data.items, body.data.nextCursor]).toEqual([200, [], null]);
  });
});

it('counts up to 1,000 and reports when there are more', async () => {
  const subject = newSubject();
  const at = '2026-11-20T12:00:00.000Z';
  const store = async (first: number, last: number) => {
    const entry = { at, action: 'thing.done', subject, address: '', requestId: '' };
    for (let number = first; number <= last; number += 10) {
      const Items = Array.from({ length: Math.min(10, last - number + 1) }, (_, more) => {
        const id = String(number + more).padStart(8, '0');
        const item = { ...entry, id };
        return [
          { ...item, ...auditKeys.entry.at({ at, id }) },
          { ...item, ...auditKeys.bySubject.at({ subject, at, id }) },
        ];
      }).flat();
      const requests = Items.map((Item) => ({ PutRequest: { Item } }));
      const command = new BatchWriteCommand({ RequestItems: { [tableName()]: requests } });
      await documentClient().send(command);
    }
  };
  const total = async (query: Query) => (await list({ ...query, count: 'true' })).body.data;
  const exact = { total: 1_000, totalIsExact: true, totalPages: 100 };
  await store(1, 1_000);
  expect(await total({ subject })).toMatchObject(exact);
  await store(1_001, 1_001);
  expect(await total({ subject })).toMatchObject({ ...exact, totalIsExact: false });
  expect(await total({})).toMatchObject({ total: 1_000, totalIsExact: false });
});
