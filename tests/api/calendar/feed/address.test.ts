import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { routes } from '../../../../functions/api/calendar/routes.ts';
import { createGateway } from '../../../../infra/local/gateway.ts';
import { change, made, newPlanner } from '../../../support/calendar/calendar.ts';
import { newFeed, readFeed, textOf } from '../../../support/calendar/feed.ts';
import { useServer } from '../../../support/run/server.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { login, type Person, setUser } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const { ann } = useNewPeople({ ann: newPlanner });

/** Signs in again, because a token is valid for 15 minutes. */
const newLogin = async (person: Person): Promise<Person> => ({
  ...person,
  token: (await login(person.email)).body.accessToken,
});

describe('GET /calendar/{token}/events.ics', () => {
  it('returns a calendar that clients can cache and must revalidate', async () => {
    const { id } = await made(ann);
    const token = await newFeed(ann);
    const first = await readFeed(token);
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        'cache-control': 'private, no-cache',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
      },
    });
    const { etag = '' } = first.headers;
    pass(5 * 60_000);
    const again = await readFeed(token, { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, body: '', headers: { etag } });
    await change({ token: (await newLogin(ann)).token }, id, { title: 'Another' });
    expect(await readFeed(token, { 'if-none-match': etag })).toMatchObject({ status: 200 });
  });

  it('returns a compressed calendar to clients that accept it', async () => {
    await made(ann, { description: 'x'.repeat(2_000) });
    const token = await newFeed(ann);
    const { headers, body } = await readFeed(token, { 'accept-encoding': 'gzip' });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(await textOf(token));
  });

  it('responds to HEAD without recording the use', async () => {
    const token = await newFeed(ann);
    pass(2 * 3_600_000);
    const { status, body } = await call('HEAD /calendar/{token}/events.ics', { params: { token } });
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect((await itemsOf(`USER#${ann.id}`)).find(({ hash }) => hash)).not.toHaveProperty(
      'lastUsedAt',
    );
  });

  const secret = 'x'.repeat(43);
  it.each(['', 'x', '1', `1.${secret}`, `0.${secret}`, `9999999999999999.${secret}`, `${secret}`])(
    'returns 404 for %j',
    async (token) => {
      expect(await readFeed(token)).toMatchObject({ status: 404 });
    },
  );

  it('returns 404 for a token with the id of another user', async () => {
    const [, theirs = ''] = (await newFeed(await newPlanner())).split('.');
    await newFeed(ann);
    expect(await readFeed(`${ann.id}.${theirs}`)).toMatchObject({ status: 404 });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the token is revoked', () => call('DELETE /api/calendar/feed', { token: ann.token })],
    ['the token is replaced', () => newFeed(ann)],
    ['the user is suspended', () => setUser(ann.id, { status: 'suspended' })],
    ['the user loses access to calendars', () => setUser(ann.id, { role: 'guest' })],
  ])('returns 404 if %s', async (_, act) => {
    const token = await newFeed(ann);
    expect(await readFeed(token)).toMatchObject({ status: 200 });
    await act();
    expect(await readFeed(token)).toMatchObject({ status: 404 });
  });

  it('rejects a client after 30 unknown tokens', async () => {
    // Failed requests of other tests no longer count.
    pass(20 * 60_000);
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const token = await newFeed(await newLogin(ann));
    const wrong = `${ann.id}.${secret}`;
    for (let attempts = 0; attempts < 30; attempts++) {
      expect((await readFeed(token)).status).toBe(200);
      expect((await readFeed(wrong)).status).toBe(404);
    }
    expect((await readFeed(wrong)).status).toBe(429);
    expect((await readFeed(token)).status).toBe(429);
    pass(10 * 60_000);
    expect((await readFeed(token)).status).toBe(200);
    vi.unstubAllEnvs();
  });
});

describe('/api/calendar/feed', () => {
  const state = async () =>
    (await call('GET /api/calendar/feed', { token: (await newLogin(ann)).token })).body.data;

  it('returns the feed after its creation, with the hour of its last use', async () => {
    expect(await state()).toBeNull();
    const token = await newFeed(await newLogin(ann));
    const createdAt = new Date().toISOString();
    expect(await state()).toEqual({ createdAt, lastUsedAt: null });
    await readFeed(token);
    expect(await state()).toEqual({ createdAt, lastUsedAt: null });
    pass(3_600_000);
    await readFeed(token);
    const lastUsedAt = new Date().toISOString();
    pass(60_000);
    await readFeed(token);
    expect(await state()).toEqual({ createdAt, lastUsedAt });
    const { token: access } = await newLogin(ann);
    expect(await call('DELETE /api/calendar/feed', { token: access })).toMatchObject({
      status: 200,
      body: { data: { revoked: true }, message: 'Revoked' },
    });
    expect(await call('DELETE /api/calendar/feed', { token: access })).toMatchObject({
      status: 404,
    });
    expect(await state()).toBeNull();
  });

  it('stores no token', async () => {
    const [, secret = ''] = (await newFeed(ann)).split('.');
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(await itemsOf(''))).not.toContain(secret);
  });

  it('keeps one of several concurrently created feeds', async () => {
    const tokens = await Promise.all([newFeed(ann), newFeed(ann), newFeed(ann)]);
    const statuses = await Promise.all(tokens.map(async (token) => (await readFeed(token)).status));
    expect(statuses.sort()).toEqual([200, 404, 404]);
  });

  it('revokes the feed once for concurrent requests', async () => {
    await newFeed(ann);
    const { token } = ann;
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await call('DELETE /api/calendar/feed', { token })).status),
    );
    expect(statuses.sort()).toEqual([200, 404, 404]);
  });
});

describe('local server', () => {
  const paths: string[] = [];
  const listening = useServer(createGateway([{ routes }], ({ path }) => paths.push(path)));

  it('serves the feed and logs no token', async () => {
    const token = await newFeed(ann);
    const base = `http://127.0.0.1:${listening.port}/calendar/${token}`;
    const response = await fetch(`${base}/events.ics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^BEGIN:VCALENDAR\r\n/);
    expect((await fetch(`${base}/event.ics`)).status).toBe(404);
    expect(paths).toEqual(['/calendar/…/events.ics', '/calendar/…/event.ics']);
  });
});
