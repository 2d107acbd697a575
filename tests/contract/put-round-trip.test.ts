import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../functions/routes.ts';
import { getSettings } from '../../shared/auth/notification-settings.ts';
import * as files from '../support/files/files.ts';
import { useBucket } from '../support/s3/local-s3.ts';
import { entries } from '../support/service/audit.ts';
import { call } from '../support/service/call.ts';
import { runJobs, runMinute, useJobs } from '../support/service/jobs.ts';
import { useTable } from '../support/table/table.ts';
import { newUserOf, type Person } from '../support/users/test-users.ts';
import { usePeople } from '../support/users/use-people.ts';
import { newWebhook } from '../support/webhooks/webhooks.ts';

useTable();
useBucket();
useJobs();

type Fields = Readonly<Record<string, unknown>>;

interface Case {
  readonly put: string;
  readonly get: string;
  readonly make: (owner: Person) => Promise<string | undefined>;
  readonly changes: Fields;
  /** Fields that depend on another field. */
  readonly follows?: Readonly<Record<string, readonly string[]>>;
  /** Endpoint by which a manager of all records reads it, if any. */
  readonly managerGet?: string;
  /** Fields that only the owner can change. */
  readonly own?: readonly string[];
}

const make = (endpoint: string, body: Fields) => async (owner: Person) => {
  const response = await call(endpoint, { token: owner.token, body });
  expect(response.status).toBe(201);
  return String(response.body.data?.id ?? response.body.id);
};

const cases: readonly Case[] = [
  {
    put: 'PUT /api/users/me',
    get: 'GET /api/users/me',
    make: async () => undefined,
    changes: {
      name: 'Robert',
      username: 'robert.the.first',
      avatar: 'https://example.com/robert.png',
      phone: '030 123',
      timezone: 'Europe/Berlin',
      notificationSettings: {
        ...getSettings(),
        messages: { bell: false, mail: true },
        newSignIns: { bell: true, mail: false },
      },
    },
  },
  {
    put: 'PUT /api/users/{id}',
    get: 'GET /api/users/{id}',
    make: async () => String((await newUserOf('user')).id),
    changes: {
      email: 'robert.the.second@example.com',
      name: 'Robert',
      username: 'robert.the.second',
      avatar: 'https://example.com/robert.png',
      phone: '030 123',
      timezone: 'Europe/Berlin',
      role: 'guest',
      status: 'inactive',
    },
    follows: { role: ['permissions'] },
  },
  {
    put: 'PUT /api/documents/{id}',
    get: 'GET /api/documents/{id}',
    make: async (person) => {
      const id = await make('POST /api/documents', { title: 'Plan', content: 'Hi', tags: ['a'] })(
        person,
      );
      const body = { userIds: [reader.id] };
      await call('POST /api/documents/{id}/share', { token: person.token, params: { id }, body });
      return id;
    },
    changes: {
      title: 'Other',
      content: 'Hello',
      type: 'note',
      folder: 'F',
      tags: ['b'],
      visibility: 'everyone',
    },
    follows: {
      title: ['name', 'editedAt', 'editedBy'],
      content: ['size', 'editedAt', 'editedBy'],
    },
    managerGet: 'GET /api/documents/{id}',
  },
  {
    put: 'PUT /api/files/{id}',
    get: 'GET /api/files/{id}',
    make: async (person) => {
      const id = await files.made(person, { name: `${randomUUID()}.txt` });
      await files.share(person, id, [reader.id]);
      return String(id);
    },
    changes: { name: 'Other.txt', isFavorite: true, visibility: 'everyone', sharedWith: [] },
    follows: { name: ['path'] },
    managerGet: 'GET /api/files/{id}',
    own: ['isFavorite'],
  },
  {
    put: 'PUT /api/calendar/events/{id}',
    get: 'GET /api/calendar/events/{id}',
    make: (person) =>
      make('POST /api/calendar/events', {
        title: 'Board',
        start: '2026-12-01T09:30:00Z',
        end: '2026-12-01T10:30:00Z',
        attendees: [reader.id],
      })(person),
    changes: {
      title: 'Other',
      description: 'More',
      end: '2026-12-01T11:30:00.000Z',
      type: 'task',
      color: 'teal',
      location: 'Room 2',
      status: 'done',
      priority: 'high',
      reminders: [15],
      attendees: [],
    },
  },
  {
    put: 'PUT /api/sales/{id}',
    get: 'GET /api/sales/{id}',
    make: make('POST /api/sales', { amount: 10, customer: 'Example Ltd' }),
    changes: {
      amount: 12,
      cost: 3,
      customer: 'Other Ltd',
      category: 'Books',
      soldAt: '2026-10-01T12:00:00.000Z',
    },
  },
  {
    put: 'PUT /api/share/{id}',
    get: 'GET /api/share',
    make: make('POST /api/share', { content: '# Hi', language: 'markdown', viewLimit: 3 }),
    changes: {
      title: 'Other',
      description: 'More',
      viewLimit: 5,
      content: '# Ho',
      expiresAt: '2090-01-01T00:00:00.000Z',
    },
    follows: { title: ['titleIsGiven'], viewLimit: ['viewsLeft'], content: ['html', 'title'] },
    managerGet: 'GET /api/shares/{id}',
  },
  {
    put: 'PUT /api/share/requests/{id}',
    get: 'GET /api/share/requests/{id}',
    make: make('POST /api/share/requests', { title: 'Logs', submissions: 3 }),
    changes: {
      title: 'Other',
      note: 'More',
      submissions: 5,
      closed: true,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
    follows: { closed: ['status'] },
  },
  {
    put: 'PUT /api/webhooks/{id}',
    get: 'GET /api/webhooks/{id}',
    make: async (owner) => String((await newWebhook(owner)).id),
    changes: {
      url: 'https://hooks.example.com/b',
      label: 'Deploys',
      events: ['share.opened', 'share.reported'],
      format: 'text',
      active: false,
    },
    follows: { active: ['status', 'pausedBy'] },
  },
];

/** These set a single property, or change no record. */
const others = [
  // Its record is named, not numbered: `tests/api/users/roles/roles.test.ts` sends it back whole.
  'PUT /api/roles/{name}',
  'PUT /api/auth/passkeys/{id}',
  'PUT /api/auth/password',
  'PUT /api/files/{id}/thumbnail',
  'PUT /api/messages/{id}/read',
  'PUT /api/notifications/read-all',
  'PUT /api/notifications/{id}/read',
  'PUT /api/calendar/events/{id}/attendance',
  'PUT /api/calendar/events/{id}/occurrences/{start}',
  'PUT /api/share/received/seen',
  'PUT /api/share/{id}/files/{path+}',
  'PUT /api/share/{id}/links/{linkId}',
  'PUT /api/shares/{id}/decision',
  'PUT /api/shares/requests/{id}/decision',
];

const withoutVersion = ({ version, updatedAt, updated_at, ...rest }: Fields): Fields => rest;

/** The reader reads shared records and attends events. */
const { reader, owner, manager } = usePeople({
  reader: 'user',
  owner: 'super_admin',
  manager: 'super_admin',
});

it('covers every PUT of a record', () => {
  const puts = listRoutes('service').flatMap(({ method, path }) =>
    method === 'PUT' ? [`PUT ${path}`] : [],
  );
  expect(puts.toSorted()).toEqual([...cases.map(({ put }) => put), ...others].toSorted());
});

/** Returns the reader's notifications, including those sent by jobs. */
const told = async (): Promise<unknown> => {
  await runJobs();
  await runMinute();
  await runJobs();
  return (await call('GET /api/notifications', { token: reader.token })).body.data.total;
};

describe.each(cases)('$put', ({ put, get, make: made, changes, follows = {}, ...rules }) => {
  const { managerGet, own = [] } = rules;
  const read = async (id: string | undefined, who: Person): Promise<Fields> => {
    const endpoint = (who === manager && managerGet) || get;
    const isQuery = id !== undefined && !endpoint.includes('{id}');
    const { body } = await call(endpoint, {
      token: who.token,
      ...(isQuery ? { query: { id, mine: 'true' } } : { params: id === undefined ? {} : { id } }),
    });
    return body.data ?? body;
  };
  const write = (id: string | undefined, { token }: Person, body: Fields) =>
    call(put, { token, params: id === undefined ? {} : { id }, body });
  const writers = () => (managerGet === undefined ? [owner] : [owner, manager]);

  it('changes nothing when the record is sent back unchanged', async () => {
    const id = await made(owner);
    for (const who of writers()) {
      const before = await read(id, who);
      const noted = await entries();
      const notices = await told();
      expect((await write(id, who, before)).status).toBe(200);
      expect(await read(id, who)).toEqual(before);
      expect(await entries()).toEqual(noted);
      expect(await told()).toBe(notices);
    }
  });

  it.each(Object.keys(changes))('changes only %s when the full record is sent', async (field) => {
    for (const who of own.includes(field) ? [owner] : writers()) {
      const id = await made(owner);
      const before = await read(id, who);
      const value = changes[field];
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

  it('rejects a changed id or creation time', async () => {
    const id = await made(owner);
    const before = await read(id, owner);
    for (const fields of [{ id: 1 }, { createdAt: '2000-01-01T00:00:00.000Z' }]) {
      const { status, body } = await write(id, owner, { ...before, ...fields });
      expect([status, body.error?.details[0].field]).toEqual([400, Object.keys(fields)[0]]);
    }
    expect(await read(id, owner)).toEqual(before);
  });
});
