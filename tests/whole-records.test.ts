import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../functions/routes.ts';
import { entries } from './support/audit.ts';
import { call } from './support/call.ts';
import { newUserOf, type Person } from './support/people.ts';
import { useTable } from './support/table.ts';

useTable();

type Fields = Readonly<Record<string, unknown>>;

interface Case {
  readonly put: string;
  readonly get: string;
  readonly make: (owner: Person) => Promise<string | undefined>;
  readonly changes: Fields;
  /** Others that follow from a field. */
  readonly follows?: Readonly<Record<string, readonly string[]>>;
  readonly byManager: boolean;
}

const make = (endpoint: string, body: Fields) => async (owner: Person) => {
  const answer = await call(endpoint, { token: owner.token, body });
  expect(answer.status).toBe(201);
  return String(answer.body.data?.id ?? answer.body.id);
};

const ofTitle = { title: ['name'] };

const cases: readonly Case[] = [
  {
    put: 'PUT /api/users/me',
    get: 'GET /api/users/me',
    make: async () => undefined,
    changes: {
      name: 'Robert',
      phone: '030 123',
      timezone: 'Europe/Berlin',
      notifyNewSignIns: false,
    },
    byManager: false,
  },
  {
    put: 'PUT /api/users/{id}',
    get: 'GET /api/users/{id}',
    make: async () => String((await newUserOf('user')).id),
    changes: { name: 'Robert', phone: '030 123', role: 'guest', status: 'inactive' },
    follows: { role: ['permissions'] },
    byManager: false,
  },
  {
    put: 'PUT /api/documents/{id}',
    get: 'GET /api/documents/{id}',
    make: make('POST /api/documents', { title: 'Plan', content: 'Hi', tags: ['a'] }),
    changes: { title: 'Other', content: 'Hello', type: 'note', folder: 'F', tags: ['b'] },
    follows: { ...ofTitle, content: ['size'] },
    byManager: true,
  },
  {
    put: 'PUT /api/files/{id}',
    get: 'GET /api/files/{id}',
    make: (person) => make('POST /api/files/folders', { name: randomUUID() })(person),
    changes: { name: 'Pictures' },
    follows: { name: ['path'] },
    byManager: true,
  },
  {
    put: 'PUT /api/calendar/events/{id}',
    get: 'GET /api/calendar/events/{id}',
    make: make('POST /api/calendar/events', {
      title: 'Board',
      start: '2026-12-01T09:30:00Z',
      end: '2026-12-01T10:30:00Z',
    }),
    changes: { title: 'Other', description: 'More', color: 'teal', status: 'done' },
    byManager: false,
  },
  {
    put: 'PUT /api/sales/{id}',
    get: 'GET /api/sales/{id}',
    make: make('POST /api/sales', { amount: 10, customer: 'Example Ltd' }),
    changes: { amount: 12, customer: 'Other Ltd' },
    byManager: false,
  },
  {
    put: 'PUT /api/share/{id}',
    get: 'GET /api/share',
    make: make('POST /api/share', { content: '# Hi', language: 'markdown', viewLimit: 3 }),
    changes: { title: 'Other', description: 'More', viewLimit: 5, content: '# Ho' },
    follows: { viewLimit: ['viewsLeft'], content: ['html'] },
    byManager: false,
  },
];

/** They say one thing of a record, or change none. */
const others = [
  'PUT /api/auth/password',
  'PUT /api/messages/{id}/read',
  'PUT /api/notifications/read-all',
  'PUT /api/notifications/{id}/read',
  'PUT /api/calendar/events/{id}/attendance',
  'PUT /api/calendar/events/{id}/occurrences/{start}',
  'PUT /api/shares/{id}/decision',
];

const withoutVersion = ({ version, updatedAt, updated_at, ...rest }: Fields): Fields => rest;

let owner: Person;
let manager: Person;
beforeAll(async () => {
  owner = await newUserOf('super_admin');
  manager = await newUserOf('super_admin');
});

it('covers every PUT of a record', () => {
  const puts = routesOf('service').flatMap(({ method, path }) =>
    method === 'PUT' ? [`PUT ${path}`] : [],
  );
  expect(puts.toSorted()).toEqual([...cases.map(({ put }) => put), ...others].toSorted());
});

describe.each(cases)('$put', ({ put, get, make: made, changes, follows = {}, byManager }) => {
  const read = async (id: string | undefined, { token }: Person): Promise<Fields> => {
    const isQuery = id !== undefined && !get.includes('{id}');
    const { body } = await call(get, {
      token,
      ...(isQuery ? { query: { id, mine: 'true' } } : { params: id === undefined ? {} : { id } }),
    });
    return body.data ?? body;
  };
  const write = (id: string | undefined, { token }: Person, body: Fields) =>
    call(put, { token, params: id === undefined ? {} : { id }, body });
  const writers = () => (byManager ? [owner, manager] : [owner]);

  it('changes nothing where a record comes back as it was read', async () => {
    const id = await made(owner);
    for (const who of writers()) {
      const before = await read(id, who);
      const noted = await entries();
      expect((await write(id, who, before)).status).toBe(200);
      expect(await read(id, who)).toEqual(before);
      expect(await entries()).toEqual(noted);
    }
  });

  it.each(Object.keys(changes))('changes %s alone of a whole record', async (field) => {
    for (const who of writers()) {
      const id = await made(owner);
      const before = await read(id, who);
      // Names of folders are taken once.
      const value = follows[field]?.includes('path') ? randomUUID() : changes[field];
      const { status } = await write(id, who, { ...before, [field]: value });
      const after = await read(id, who);
      expect([status, after[field]]).toEqual([200, value]);
      const all = [field, ...(follows[field] ?? [])];
      const rest = (record: Fields) =>
        Object.fromEntries(
          Object.entries(withoutVersion(record)).filter(([name]) => !all.includes(name)),
        );
      expect(rest(after)).toEqual(rest(before));
    }
  });

  it('refuses another id and another time of creation', async () => {
    const id = await made(owner);
    const before = await read(id, owner);
    for (const fields of [{ id: 1 }, { createdAt: '2000-01-01T00:00:00.000Z' }]) {
      const { status, body } = await write(id, owner, { ...before, ...fields });
      expect([status, body.error?.details[0].field]).toEqual([400, Object.keys(fields)[0]]);
    }
    expect(await read(id, owner)).toEqual(before);
  });
});
