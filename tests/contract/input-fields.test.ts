import { describe, expect, it, vi } from 'vitest';
import { call } from '../support/service/call.ts';
import { useTable } from '../support/table/table.ts';
import { newEmail, newUserOf, password } from '../support/users/test-users.ts';
import { usePeople } from '../support/users/use-people.ts';

useTable();

type Fields = Readonly<Record<string, unknown>>;

interface Group {
  readonly post: string;
  readonly body: () => Fields;
  /** Optional fields with a constant default. */
  readonly optional: readonly string[];
  readonly oneLine?: readonly string[];
  readonly multiLine?: readonly string[];
  /** Names and titles. */
  readonly labels?: readonly string[];
  /** Reads the record if the response does not contain it. */
  readonly read?: string;
}

/** Fields in which blanks are significant. */
const verbatim = ['content', 'password'];

let names = 0;
const newName = () => `Name ${++names}`;

const { root, bob } = usePeople({ root: 'super_admin', bob: 'user' });

const groups: readonly Group[] = [
  {
    post: 'POST /api/calendar/events',
    body: () => ({ title: 'Board', start: '2026-12-01T09:30:00Z' }),
    optional: [
      ...['description', 'end', 'endAt', 'type', 'color', 'allDay', 'location', 'timezone'],
      ...['rrule', 'exdates', 'attendees', 'reminders', 'status', 'priority', 'startAt'],
    ],
    oneLine: ['title', 'location', 'rrule'],
    multiLine: ['description'],
    labels: ['title'],
  },
  {
    post: 'POST /api/messages',
    body: () => ({ content: 'Hi', to: bob.id }),
    optional: ['subject', 'type', 'replyTo', 'recipients', 'recipientId', 'receiverIds'],
    oneLine: ['subject'],
    multiLine: ['content'],
  },
  {
    post: 'POST /api/sales',
    body: () => ({ amount: 10 }),
    optional: ['cost', 'currency', 'customer', 'category', 'externalId'],
    oneLine: ['customer', 'category', 'externalId'],
  },
  {
    post: 'POST /api/documents',
    body: () => ({ title: 'Plan' }),
    optional: ['content', 'type', 'folder', 'tags', 'visibility'],
    oneLine: ['title', 'type', 'folder'],
    labels: ['title'],
  },
  {
    post: 'POST /api/files/folders',
    body: () => ({ name: newName() }),
    optional: ['folder'],
    oneLine: ['name', 'folder'],
    labels: ['name'],
  },
  {
    post: 'POST /api/auth/tokens',
    body: () => ({ name: 'Script' }),
    optional: ['permissions', 'expiresInDays'],
    oneLine: ['name'],
    labels: ['name'],
  },
  {
    post: 'POST /api/users',
    body: () => ({ name: 'Bob Example', email: newEmail() }),
    optional: ['role', 'permissions', 'status', 'phone', 'avatar', 'timezone', 'password'],
    oneLine: ['name'],
    labels: ['name'],
  },
  {
    post: 'POST /api/share',
    body: () => ({ content: 'Hi' }),
    optional: [
      ...['title', 'description', 'viewLimit', 'expiresIn', 'expiresAt', 'language'],
      ...['sealed', 'proof'],
    ],
    oneLine: ['title'],
    multiLine: ['description'],
    read: 'GET /api/share',
  },
];

const post = ({ post: endpoint, body }: Group, fields: Fields) =>
  call(endpoint, { token: root.token, body: { ...body(), ...fields } });

/** Creates a record and returns it as read. */
const made = async (group: Group, fields: Fields): Promise<Fields> => {
  const { status, body } = await post(group, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  if (!group.read) return body.data.user ?? body.data;
  return (await call(group.read, { token: root.token, query: { id: body.id, mine: 'true' } })).body;
};

const expectRefused = async (group: Group, field: string, value: string, message: string) => {
  const { status, body } = await post(group, { [field]: value });
  expect([status, body.error?.details]).toEqual([400, [{ field, message }]]);
};

describe.each(groups)('$post', (group) => {
  it.each(group.optional)('treats a blank %s as null', async (field) => {
    const without = await made(group, { [field]: null });
    for (const blank of ['', ...(verbatim.includes(field) ? [] : [' \t '])]) {
      expect((await made(group, { [field]: blank }))[field]).toEqual(without[field]);
    }
  });

  it.each(group.oneLine ?? [])('rejects %s of several lines', async (field) => {
    for (const value of ['a\u0007b', 'a\nb', 'a\u2028b']) {
      await expectRefused(group, field, value, 'must be one line without control characters');
    }
  });

  it.each(group.multiLine ?? [])('accepts %s of several lines', async (field) => {
    expect((await made(group, { [field]: 'a\r\nb\tc' }))[field]).toBe('a\nb\tc');
    const message = 'must not contain control characters except tabs and line breaks';
    await expectRefused(group, field, 'a\u0007b', message);
  });

  it.each(group.labels ?? [])('rejects %s without a visible character', async (field) => {
    await expectRefused(group, field, '\u200b\u2800', 'must contain a visible character');
  });
});

it('rejects a message and a report without a visible character', async () => {
  const details = (field: string) => [{ field, message: 'must contain a visible character' }];
  const body = { to: bob.id, content: '\u200b\u2800' };
  const message = await call('POST /api/messages', { token: root.token, body });
  expect([message.status, message.body.error.details]).toEqual([400, details('content')]);
  const share = await call('POST /api/share', { token: root.token, body: { content: 'Hi' } });
  const report = await call('POST /api/share/{id}/report', {
    params: { id: share.body.id },
    body: { reason: '\u200b\u200b\u200b' },
  });
  expect([report.status, report.body.error.details]).toEqual([400, details('reason')]);
});

describe('an id sent as a string', () => {
  it.each(['recipients', 'recipientId', 'receiverIds', 'to'])(
    'is accepted in %s',
    async (field) => {
      for (const value of [String(bob.id), [String(bob.id)]]) {
        const body = { content: 'Hi', [field]: value };
        const response = await call('POST /api/messages', { token: root.token, body });
        expect([response.status, response.body.data?.recipients]).toEqual([201, [bob.id]]);
      }
    },
  );

  it('is accepted as parent message and conversation', async () => {
    const send = (body: Fields) => call('POST /api/messages', { token: root.token, body });
    const { id } = (await send({ content: 'Hi', to: bob.id })).body.data;
    for (const field of ['replyTo', 'conversationId']) {
      const { status, body } = await send({ content: 'Again', [field]: String(id) });
      expect([status, body.data?.conversationId]).toEqual([201, id]);
    }
  });

  it('is accepted for attendees', async () => {
    for (const attendee of [String(bob.id), { id: String(bob.id) }]) {
      const { status, body } = await call('POST /api/calendar/events', {
        token: root.token,
        body: { title: 'Board', start: '2026-12-01', attendees: [attendee] },
      });
      expect([status, body.data?.attendees]).toMatchObject([201, [{ id: bob.id }]]);
    }
  });

  it('is accepted for readers of a document', async () => {
    const { token } = root;
    const created = await call('POST /api/documents', { token, body: { title: 'Plan' } });
    const params = { id: String(created.body.data.id) };
    const sharedWith = [String(bob.id)];
    const shared = await call('POST /api/documents/{id}/share', {
      ...{ token, params },
      body: { userIds: sharedWith },
    });
    expect([shared.status, shared.body.data?.sharedWith]).toEqual([200, [bob.id]]);
    const body = { id: params.id, sharedWith };
    const again = await call('PUT /api/documents/{id}', { token, params, body });
    expect([again.status, again.body.data?.version]).toEqual([200, shared.body.data.version]);
  });

  it('filters documents and the audit log', async () => {
    for (const [endpoint, field] of [
      ['GET /api/documents', 'author'],
      ['GET /api/audit', 'actor'],
    ] as const) {
      const query = { [field]: ` ${root.id} ` };
      const { status, body } = await call(endpoint, { token: root.token, query });
      expect([status, body.data?.items.length > 0]).toEqual([200, true]);
    }
  });
});

it('trims email addresses', async () => {
  const email = newEmail();
  const sent = ` ${email.toUpperCase()}\t`;
  const account = { email: sent, name: 'Ann Example', password, confirmPassword: password };
  const registered = await call('POST /api/auth/register', { body: account });
  expect(registered.body.user.email).toBe(email);
  expect((await call('POST /api/auth/login', { body: { email: sent, password } })).status).toBe(
    200,
  );
  const forgot = await call('POST /api/auth/forgot-password', { body: { email: sent } });
  expect(forgot.status).toBe(200);
  const body = { email: sent, name: 'Ann Example' };
  expect((await call('POST /api/users', { token: root.token, body })).status).toBe(409);
});

it('accepts a changed document name, and rejects two conflicting names', async () => {
  const { token } = root;
  const created = await call('POST /api/documents', { token, body: { title: 'Plan' } });
  const put = (body: object) =>
    call('PUT /api/documents/{id}', {
      token,
      body,
      params: { id: String(created.body.data.id) },
    });
  expect((await put({ title: 'Plan', name: 'Other' })).body.data.title).toBe('Other');
  const { status, body } = await put({ title: 'One', name: 'Two' });
  expect([status, body.error?.details]).toEqual([
    400,
    [{ field: 'name', message: 'must equal title' }],
  ]);
});

describe('a date filter of a list', () => {
  const soldAt = '2026-03-31T23:30:00Z';
  const bounds: readonly (readonly [Readonly<Record<string, string>>, boolean])[] = [
    [{ from: '2026-03-31', to: '2026-03-31' }, true],
    [{ from: '2026-03-31', to: '2026-03-31T23:30:00Z' }, false],
    [{ from: '2026-03-01', to: '2026-03-30' }, false],
    [{ from: '2026-04-01', to: '' }, false],
  ];

  it.each(bounds)('filters sales by %j', async (query, isIn) => {
    const { body } = await call('POST /api/sales', {
      token: root.token,
      body: { amount: 1, soldAt },
    });
    const found = await call('GET /api/sales', { token: root.token, query });
    const ids = found.body.data.items.map(({ id }: { id: number }) => id);
    expect(ids.includes(body.data.id)).toBe(isIn);
  });

  it.each(bounds)('filters the audit log by %j', async (query, isIn) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(soldAt) });
    try {
      const { id, token } = await newUserOf('super_admin');
      const by = { ...query, subject: `user:${id}` };
      const { status, body } = await call('GET /api/audit', { token, query: by });
      expect([status, body.data?.items.length > 0]).toEqual([200, isIn]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['Europe/Berlin', '2026-12-01', '2026-12-01', 1],
    ['Europe/Berlin', '2026-11-01', '2026-11-30', 0],
    ['UTC', '2026-11-01', '2026-11-30', 1],
    ['UTC', '2026-12-01', '2026-12-01', 0],
    ['UTC', '2026-11-30', '2026-11-30T23:30:00Z', 0],
  ])('filters events in time zone %s: %s to %s', async (timezone, start, end, count) => {
    const planner = await newUserOf('super_admin', { timezone });
    const body = { title: 'Late', start: '2026-11-30T23:30:00Z' };
    await call('POST /api/calendar/events', { token: planner.token, body });
    const query = { start, end };
    const window = await call('GET /api/calendar/events', { token: planner.token, query });
    expect([window.status, window.body.data?.items.length]).toEqual([200, count]);
  });
});
