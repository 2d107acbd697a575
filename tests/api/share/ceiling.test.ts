import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const daySeconds = 86_400;
const dayMs = daySeconds * 1_000;
const now = () => new Date().toISOString();
const later = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

let owner: Person;
beforeEach(async () => {
  owner = await newPerson();
});

const tokenWith = async (ceiling: object): Promise<string> => {
  const fields = { permissions: ['shares:*'], ceiling, expiresInDays: 90 };
  return (await createApiToken(owner.token, fields)).body.data.token;
};
const share = (token: string, body: object = {}, headers: Record<string, string> = {}) =>
  call('POST /api/share', { token, body: { content: '<p>Hi</p>', ...body }, headers });
const change = (token: string, id: string, body: object) =>
  call('PUT /api/share/{id}', { token, params: { id }, body });
const addLink = (token: string, id: string, body: object = {}) =>
  call('POST /api/share/{id}/links', { token, params: { id }, body: { label: 'Mei', ...body } });
const read = async (id: string) =>
  (await call('GET /api/share', { token: owner.token, query: { id, mine: 'true' } })).body;
const refused = (rule: string) => ({
  status: 403,
  body: { error: { code: 'FORBIDDEN', message: `This token may publish only ${rule}.` } },
});

describe('a token with maxAge', () => {
  it('publishes for as long as it may where nothing is said, and refuses more by naming the rule', async () => {
    const token = await tokenWith({ maxAge: 7 * daySeconds });
    const { body } = await share(token);
    expect(await read(body.id)).toMatchObject({ expiresAt: later(7), viewLimit: null });
    expect((await read((await share(token, { expiresIn: daySeconds })).body.id)).expiresAt).toBe(
      later(1),
    );
    for (const more of [{ expiresIn: 7 * daySeconds + 1 }, { expiresAt: later(8) }]) {
      expect(await share(token, more)).toMatchObject(refused('for up to 7 days'));
    }
  });

  it('extends a share up to that age, not again and again', async () => {
    const token = await tokenWith({ maxAge: 7 * daySeconds });
    const { id } = (await share(token, { expiresIn: 2 * daySeconds })).body;
    pass(dayMs);
    expect(await change(token, id, { expiresIn: 6 * daySeconds })).toMatchObject({ status: 200 });
    pass(1_000);
    for (const more of [{ expiresIn: 6 * daySeconds }, { expiresAt: null }, { expiresIn: null }]) {
      expect(await change(token, id, more)).toMatchObject(refused('for up to 7 days'));
    }
  });

  it('puts nothing into a share that stays open for longer', async () => {
    const { id } = (await share(owner.token)).body;
    await change(owner.token, id, { content: '<p>Ho</p>' });
    const token = await tokenWith({ maxAge: 3_600 });
    const params = { id, version: '1' };
    const answers = [
      await change(token, id, { content: '<p>Mine</p>' }),
      await call('POST /api/share/{id}/revisions/{version}/restore', { token, params }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(refused('for up to 1 hour'));
    expect((await read(id)).content).toBe('<p>Ho</p>');
    const within = { content: '<p>Mine</p>', expiresIn: 1_800 };
    expect(await change(token, id, within)).toMatchObject({ status: 200 });
    expect(await call('DELETE /api/share/{id}', { token, params: { id } })).toMatchObject({
      status: 200,
    });
  });
});

describe('a token with maxViews', () => {
  it('publishes nothing without a limit', async () => {
    const token = await tokenWith({ maxViews: 10 });
    const { id } = (await share(token)).body;
    expect(await read(id)).toMatchObject({ viewLimit: 10, expiresAt: null });
    const rule = refused('with up to 10 views');
    expect(await share(token, { viewLimit: 11 })).toMatchObject(rule);
    for (const viewLimit of [11, null]) {
      expect(await change(token, id, { viewLimit })).toMatchObject(rule);
    }
    expect(await change(token, id, { viewLimit: 3 })).toMatchObject({ status: 200 });
  });

  it('names both rules where both are broken', async () => {
    const token = await tokenWith({ maxViews: 1, maxAge: 90 });
    const more = { viewLimit: 2, expiresIn: 91 };
    expect(await share(token, more)).toMatchObject(
      refused('for up to 90 seconds and with up to 1 view'),
    );
  });
});

describe('a token with maxAudience', () => {
  beforeEach(() => {
    vi.stubEnv('REGISTRATION', 'invite');
    return () => vi.unstubAllEnvs();
  });

  it.each([
    ['private', 'private', 'private pages'],
    ['people', 'people', 'pages for people you choose'],
    ['members', 'members', 'pages for signed-in members'],
    ['link', 'link', undefined],
  ] as const)('%s publishes for %s where nothing is said', async (maxAudience, audience, rule) => {
    const token = await tokenWith({ maxAudience });
    expect((await share(token)).body.audience).toBe(audience);
    const wider = await share(token, { audience: 'link' });
    expect(wider).toMatchObject(rule === undefined ? { status: 201 } : refused(rule));
  });

  it('takes the default of the service where that is narrower', async () => {
    vi.stubEnv('DEFAULT_AUDIENCE', 'people');
    const token = await tokenWith({ maxAudience: 'members' });
    expect((await share(token)).body.audience).toBe('people');
    expect((await share(token, { audience: 'members' })).body.audience).toBe('members');
  });

  it('widens no share, and puts nothing into one that is wider', async () => {
    const token = await tokenWith({ maxAudience: 'people' });
    const reader = await newUserOf('user');
    const { id } = (await share(token, { readers: [reader.id] })).body;
    expect(await change(token, id, { content: '<p>Ho</p>' })).toMatchObject({ status: 200 });
    const open = (await share(owner.token)).body.id;
    const answers = [
      await change(token, id, { audience: 'members' }),
      await change(token, open, { content: '<p>Mine</p>' }),
      await share(token, { embedOrigins: ['*'] }),
      await addLink(token, id),
    ];
    const rule = refused('pages for people you choose');
    for (const answer of answers) expect(answer).toMatchObject(rule);
    const narrower = { content: '<p>Mine</p>', audience: 'private' };
    expect(await change(token, open, narrower)).toMatchObject({ status: 200 });
  });

  it('is named with each other rule that is broken', async () => {
    const more = { audience: 'link', viewLimit: 4, expiresIn: 8 * daySeconds };
    const maxAge = 7 * daySeconds;
    for (const [ceiling, rule] of [
      [{ maxAudience: 'private', maxAge }, 'private pages, for up to 7 days'],
      [{ maxAudience: 'members', maxViews: 3 }, 'pages for signed-in members, with up to 3 views'],
      [
        { maxAudience: 'people', maxAge, maxViews: 3 },
        'pages for people you choose, for up to 7 days and with up to 3 views',
      ],
    ] as const) {
      expect(await share(await tokenWith(ceiling), more)).toMatchObject(refused(rule));
    }
  });
});

describe('a recipient link by a token', () => {
  it('stays within the ceiling, whatever its share allows', async () => {
    const { id } = (await share(owner.token)).body;
    const token = await tokenWith({ maxViews: 10, maxAge: daySeconds });
    expect(await addLink(token, id)).toMatchObject({
      status: 201,
      body: { viewLimit: 10, expiresAt: later(1), createdAt: now() },
    });
    expect(await addLink(token, id, { viewLimit: 2, expiresIn: 60 })).toMatchObject({
      body: { viewLimit: 2 },
    });
    expect(await addLink(token, id, { viewLimit: 11 })).toMatchObject(
      refused('with up to 10 views'),
    );
    expect(await addLink(token, id, { expiresIn: daySeconds + 1 })).toMatchObject(
      refused('for up to 1 day'),
    );
    expect((await read(id)).viewLimit).toBeNull();
  });
});

describe('a share with recipient links', () => {
  it('gets nothing from a token that may not publish to their recipients', async () => {
    const { id } = (await share(owner.token, { audience: 'private' })).body;
    const token = await tokenWith({ maxAudience: 'private' });
    expect(await change(token, id, { content: '<p>Own</p>' })).toMatchObject({ status: 200 });
    const link = (await addLink(owner.token, id)).body;
    for (const more of [{ content: '<p>New</p>' }, { title: 'New' }]) {
      expect(await change(token, id, more)).toMatchObject(refused('private pages'));
    }
    const wider = await tokenWith({ maxAudience: 'link' });
    expect(await change(wider, id, { title: 'Wider' })).toMatchObject({ status: 200 });
    const params = { id, linkId: link.id };
    await call('DELETE /api/share/{id}/links/{linkId}', { token: owner.token, params });
    expect(await change(token, id, { title: 'Own' })).toMatchObject({ status: 200 });
  });
});

describe('a token with sharesPerDay', () => {
  const rule = refused('3 shares a day. Try again tomorrow (UTC)');

  it('creates exactly as many as allowed, also for 12 concurrent requests', async () => {
    const token = await tokenWith({ sharesPerDay: 3 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => share(token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject(rule);
    }
    // Others of the same owner are not counted with it.
    expect(await share(await tokenWith({ sharesPerDay: 3 }))).toMatchObject({ status: 201 });
    expect(await share(owner.token)).toMatchObject({ status: 201 });
    pass(12 * 3_600_000);
    expect(await share(token)).toMatchObject({ status: 201 });
  });

  it('counts a repeated request once, and a failed one not at all', async () => {
    const token = await tokenWith({ sharesPerDay: 3 });
    await share(owner.token, { slug: 'is-taken' });
    expect(await share(token, { slug: 'is-taken' })).toMatchObject({ status: 409 });
    for (let n = 0; n < 3; n++) {
      expect(await share(token, {}, { 'idempotency-key': 'same' })).toMatchObject({ status: 201 });
    }
    for (let n = 0; n < 2; n++) expect(await share(token)).toMatchObject({ status: 201 });
    expect(await share(token)).toMatchObject(rule);
    const again = await share(token, {}, { 'idempotency-key': 'same' });
    expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
  });
});
