import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { handIn, intakeOf, visit } from '../../../support/shares/intake.ts';
import { useTable } from '../../../support/table/table.ts';
import { createApiToken } from '../../../support/users/account.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();

const { ann, bob } = useNewPeople({ ann: newPerson, bob: newPerson });
const [her, his] = [intakeOf(ann), intakeOf(bob)];

const day = 86_400;
const iso = (ms: number) => new Date(ms).toISOString();

describe('POST /api/share/requests', () => {
  it('creates a request for one submission within 7 days, unless it says more', async () => {
    const now = Date.now();
    const { body } = await her.create();
    expect(body).toMatchObject({
      title: 'Logs of the outage',
      note: null,
      submissions: 1,
      taken: 0,
      expiresAt: iso(now + 7 * day * 1_000),
      protected: false,
      closed: false,
      status: 'open',
      version: 1,
    });
    expect(body.url).toMatch(new RegExp(`/r/${body.id}$`));
    expect((await visit(body.id)).status).toBe(200);
    const more = { note: 'All of it', submissions: 100, expiresIn: 30 * day, password: 'Sesam1' };
    expect((await her.create(more)).body).toMatchObject({
      note: 'All of it',
      submissions: 100,
      expiresAt: iso(now + 30 * day * 1_000),
      protected: true,
    });
  });

  it.each([
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(201) }],
    ['note', { note: 'x'.repeat(1_001) }],
    ['submissions', { submissions: 0 }],
    ['submissions', { submissions: 101 }],
    ['expiresIn', { expiresIn: 30 * day + 1 }],
    ['expiresAt', { expiresAt: '2035-01-01T12:00:00Z' }],
    ['expiresAt', { expiresAt: '2026-11-20T12:00:00Z' }],
    ['expiresAt', { expiresIn: 60, expiresAt: '2026-11-22T12:00:00Z' }],
    ['password', { password: 'short' }],
  ])('refuses an invalid %s: %o', async (field, body) => {
    const { status, body: answer } = await her.create(body);
    expect([status, answer.error.details[0].field]).toEqual([400, field]);
  });

  it('stays within the ceiling of an API token', async () => {
    const tokenOf = async (ceiling: object) => {
      const permissions = ['shares:*'];
      const { body } = await createApiToken(ann.token, { permissions, ceiling, expiresInDays: 90 });
      return intakeOf({ token: body.data.token });
    };
    const narrow = await tokenOf({ maxAudience: 'people' });
    expect((await narrow.create()).body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This token may publish only pages for people you choose.',
    });
    const brief = await tokenOf({ maxAge: 3_600, maxViews: 1 });
    expect((await brief.create()).body.expiresAt).toBe(iso(Date.now() + 3_600_000));
    expect((await brief.create({ expiresIn: 3_601 })).status).toBe(403);
    const id = await her.newRequest();
    expect((await brief.put(id, { title: 'Other' })).status).toBe(403);
    expect((await brief.put(id, { title: 'Other', expiresIn: 3_600 })).status).toBe(200);
  });
});

describe('GET /api/share/requests', () => {
  it('lists only your own, newest first, a page after the other', async () => {
    await his.newRequest();
    const ids: string[] = [];
    for (let made = 0; made < 3; made++) {
      ids.unshift(await her.newRequest());
      pass(1);
    }
    const first = (await her.list({ pageSize: '2' })).body;
    expect([first.items.map(({ id }: { id: string }) => id), first.total]).toEqual([
      ids.slice(0, 2),
      3,
    ]);
    const rest = (await her.list({ cursor: first.nextCursor })).body;
    expect(rest.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(rest.nextCursor).toBeNull();
    expect((await his.list({ cursor: first.nextCursor })).status).toBe(400);
  });
});

describe('a request of someone else', () => {
  it.each([
    ['GET', (id: string) => his.get(id)],
    ['PUT', (id: string) => his.put(id, { title: 'His' })],
    ['DELETE', (id: string) => his.remove(id)],
  ])('is not found: %s', async (_, act) => {
    const id = await her.newRequest();
    expect((await act(id)).status).toBe(404);
    expect((await her.get(id)).status).toBe(200);
  });
});

describe('PUT /api/share/requests/{id}', () => {
  it('changes what it says, and takes the record back as it was read', async () => {
    const id = await her.newRequest({ note: 'All of it', submissions: 3 });
    await handIn(id);
    const { body } = await her.get(id);
    expect((await her.put(id, body)).body.version).toBe(1);
    const changed = await her.put(id, { ...body, title: 'Logs', note: null, submissions: 5 });
    expect(changed.body).toMatchObject({ title: 'Logs', note: null, submissions: 5, taken: 1 });
    expect((await her.put(id, { ...changed.body, taken: 0 })).status).toBe(400);
  });

  it('takes no fewer submissions than were taken, and opens a complete one by more', async () => {
    const id = await her.newRequest({ submissions: 2 });
    await handIn(id);
    await handIn(id);
    expect((await her.put(id, { submissions: 1 })).body.error.details).toEqual([
      { field: 'submissions', message: 'must be at least 2, the number already taken' },
    ]);
    expect((await visit(id)).status).toBe(410);
    expect((await her.put(id, { submissions: 3 })).body.status).toBe('open');
    expect((await handIn(id)).status).toBe(303);
  });

  it('never leaves more taken than it says, whatever comes at once', async () => {
    const id = await her.newRequest({ submissions: 9 });
    const sent = Array.from({ length: 6 }, () => handIn(id));
    await Promise.all([...sent, her.put(id, { submissions: 3 })]);
    const { taken, submissions } = (await her.get(id)).body;
    expect(taken).toBeLessThanOrEqual(submissions);
  });

  it('opens an expired one again', async () => {
    const id = await her.newRequest({ expiresIn: 60 });
    pass(60_000);
    expect((await her.put(id, { expiresIn: 60 })).body.status).toBe('open');
    expect((await handIn(id)).status).toBe(303);
  });

  it('is refused with the version of a former one', async () => {
    const id = await her.newRequest();
    const { headers } = await her.get(id);
    const seen = { 'if-match': headers['etag'] ?? '' };
    expect((await her.put(id, { title: 'Logs' }, seen)).status).toBe(200);
    expect((await her.put(id, { title: 'More' }, seen)).status).toBe(412);
    expect((await her.remove(id, seen)).status).toBe(412);
  });
});

describe('DELETE /api/share/requests/{id}', () => {
  it('ends the request, and leaves what was handed in', async () => {
    const id = await her.newRequest({ submissions: 2 });
    await handIn(id);
    const [{ share }] = (await her.get(id)).body.submitted;
    expect((await her.remove(id)).body).toEqual({ id, message: 'Deleted' });
    expect((await visit(id)).status).toBe(404);
    expect((await handIn(id)).status).toBe(404);
    expect((await her.list()).body).toMatchObject({ items: [], total: 0 });
    expect(share.submittedBy).toBe('Mei');
  });
});
