import { afterEach, describe, expect, it, vi } from 'vitest';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();
useBucket();
afterEach(() => vi.useRealTimers());

const create = (token: string, body: Record<string, unknown>): Promise<Answer> =>
  call('POST /api/share', { token, body });
const read = (id: string, query: Record<string, string> = {}, token?: string) =>
  call('GET /api/share', { query: { id, ...query }, token });
const newShare = async (body: Record<string, unknown>) => {
  const { token } = await newPerson();
  const { body: created } = await create(token, { content: '<p>Hi</p>', ...body });
  return { token, ...created } as { token: string; id: string; password: string; url: string };
};

describe('POST /api/share', () => {
  it('returns 201 with the URL of the page', async () => {
    const { token } = await newPerson();
    const { status, body } = await create(token, { content: '# Hi', language: 'markdown' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      language: 'markdown',
      message: 'Shared',
      audience: 'link',
      url: `https://handbill.test/s/${body.id}`,
    });
  });

  it('defaults to HTML and accepts null for optional fields', async () => {
    const { token } = await newPerson();
    const nothing = {
      language: null,
      title: null,
      description: null,
      viewLimit: null,
      useRandomPassword: null,
      password: null,
      expiresIn: null,
      expiresAt: null,
    };
    const { status, body } = await create(token, { content: 'x', ...nothing });
    expect([status, body.language]).toEqual([201, 'html']);
  });

  it('returns a generated password once and stores only its hash', async () => {
    const { token, id, password } = await newShare({ useRandomPassword: true });
    expect(password).toMatch(/^[A-Za-z0-9]{6}$/);
    expect((await read(id, { password })).status).toBe(200);
    expect(JSON.stringify((await read(id, { mine: 'true' }, token)).body)).not.toContain(password);
    expect(JSON.stringify(await itemsOf(`SHARE#${id}`))).not.toContain(password);
  });

  it.each([
    [{ content: '' }, 'content', 'must not be empty'],
    [{}, 'content', 'is required'],
    [{ content: 'x', language: 'rtf' }, 'language', 'must be html or markdown'],
    [{ content: 'x', title: 'x'.repeat(201) }, 'title', 'must be at most 200 characters'],
    [
      { content: 'x', title: 'evil\u202eexe' },
      'title',
      'must not contain bidirectional control characters',
    ],
    [
      { content: 'x', description: 'x'.repeat(1_001) },
      'description',
      'must be at most 1000 characters',
    ],
    [{ content: 'x', viewLimit: 0 }, 'viewLimit', 'must be an integer from 1 to 1000000'],
    [{ content: 'x', viewLimit: 1.5 }, 'viewLimit', 'must be an integer from 1 to 1000000'],
    [{ content: 'x', viewLimit: '5' }, 'viewLimit', 'must be an integer from 1 to 1000000'],
    [{ content: 'x', password: 'abc' }, 'password', 'must have exactly 6 letters or digits'],
    [{ content: 'x', password: 'abc de' }, 'password', 'must have exactly 6 letters or digits'],
    [
      { content: 'x', password: 'abcdef', useRandomPassword: true },
      'useRandomPassword',
      'cannot be combined with a password',
    ],
    [{ content: 'x', expiresIn: 0 }, 'expiresIn', 'must be an integer from 1 to 315360000'],
    [{ content: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'must be in the future'],
    [
      { content: 'x', expiresAt: 'tomorrow' },
      'expiresAt',
      'must be a time such as 2030-01-31T12:00:00Z',
    ],
    [
      { content: 'x', expiresAt: '2999-01-01T00:00:00Z', expiresIn: 5 },
      'expiresAt',
      'cannot be combined with expiresIn',
    ],
  ])('rejects %o because of %s', async (body, field, message) => {
    const { token } = await newPerson();
    const response = await create(token, body);
    expect(response.status).toBe(400);
    expect(response.body.error.details).toEqual([{ field, message }]);
  });

  it('stores nothing for an invalid share', async () => {
    const { id, token } = await newPerson();
    await create(token, { content: 'x', viewLimit: 0 });
    await create(token, { content: 'x'.repeat(16 * 1024 * 1024 + 1) });
    expect((await itemsOf(`USER#${id}`)).map(({ sk }) => sk)).not.toContain('SHARES');
  });
});

describe('GET /api/share?id=', () => {
  it('returns the share and counts the view', async () => {
    const { id } = await newShare({
      content: '# Hi <script>',
      language: 'markdown',
      title: 'Title',
      description: 'More',
      viewLimit: 3,
      expiresIn: 60,
    });
    const { status, body } = await read(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      language: 'markdown',
      // Readers don't learn when others viewed it.
      firstViewedAt: null,
      lastViewedAt: null,
      notify: false,
      readersCanEnd: false,
      showsRevisions: false,
      embedOrigins: [],
      audience: 'link',
      readers: [],
      submittedBy: null,
      endedBy: null,
      title: 'Title',
      titleIsGiven: true,
      description: 'More',
      content: '# Hi <script>',
      html: '<h1>Hi </h1>',
      viewLimit: 3,
      views: 1,
      viewsLeft: 2,
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
      version: 1,
      status: 'active',
      protected: false,
      url: `https://handbill.test/s/${id}`,
      slug: null,
    });
    expect((await read(id)).body).toMatchObject({ views: 2, viewsLeft: 1 });
  });

  it('serves exactly 10 of 30 concurrent views for a limit of 10', async () => {
    const { id } = await newShare({ viewLimit: 10 });
    const responses = await Promise.all(Array.from({ length: 30 }, () => read(id)));
    const served = responses.filter(({ status }) => status === 200);
    expect(served).toHaveLength(10);
    expect(served.every(({ body }) => body.content === '<p>Hi</p>')).toBe(true);
    expect(responses.filter(({ status }) => status === 410)).toHaveLength(20);
    expect(new Set(served.map(({ body }) => body.views)).size).toBe(10);
    expect((await read(id)).body.error.code).toBe('GONE');
    // The last view ends the share, so that its content is purged.
    expect((await itemsOf(`SHARE#${id}`)).filter(({ endedAt }) => endedAt)).toHaveLength(1);
  });

  it('returns 401 without the password, reveals nothing and counts no view', async () => {
    const { id } = await newShare({ password: 'Abc123', title: 'Secret title', viewLimit: 1 });
    const none = await read(id);
    const wrong = await read(id, { password: 'abc123' });
    expect([none.status, wrong.status]).toEqual([401, 401]);
    expect(JSON.stringify([none, wrong])).not.toContain('Secret');
    const headers = { 'x-share-password': 'Abc123' };
    expect(await call('GET /api/share', { query: { id }, headers })).toMatchObject({
      status: 200,
      body: { views: 1, viewsLeft: 0, protected: true, title: 'Secret title' },
    });
    expect((await read(id, { password: 'Abc123' })).status).toBe(410);
  });

  it('returns 410 for an expired share that is still stored', async () => {
    const { id } = await newShare({ expiresIn: 60 });
    expect((await read(id)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await read(id)).body.error.code).toBe('GONE');
  });

  it('returns 404 for an unknown id and 400 without an id', async () => {
    expect((await read('nothing')).body.error.code).toBe('NOT_FOUND');
    expect(await call('GET /api/share', {})).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'id', message: 'is required unless mine=true' }] } },
    });
  });

  it('ignores invalid credentials', async () => {
    const { id } = await newShare({});
    expect((await read(id, {}, 'not-a-token')).status).toBe(200);
  });
});

describe('HEAD /api/share?id=', () => {
  it('responds like GET without a body, and counts no view', async () => {
    const { id } = await newShare({ viewLimit: 1, password: 'Abc123' });
    const head = (password: string) =>
      call('HEAD /api/share', { query: { id }, headers: { 'x-share-password': password } });
    const { status, headers, body } = await head('Abc123');
    expect([status, body]).toEqual([200, '']);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await head('wrong1')).toMatchObject({ status: 401, body: '' });
    const served = await read(id, { password: 'Abc123' });
    expect(served.body.views).toBe(1);
    expect(await head('Abc123')).toMatchObject({ status: 410, body: '' });
  });
});

describe('GET /api/share?mine=true', () => {
  it('returns the share to its owner only, without counting a view', async () => {
    const { token, id } = await newShare({ viewLimit: 1, password: 'Abc123' });
    const look = await read(id, { mine: 'true' }, token);
    expect(look).toMatchObject({ status: 200, body: { content: '<p>Hi</p>', views: 0 } });
    const stranger = await newPerson();
    expect((await read(id, { mine: 'true' }, stranger.token)).status).toBe(404);
    expect((await read(id, { password: 'Abc123' })).status).toBe(200);
  });

  it('lists your shares once each, newest first, by page and by cursor', async () => {
    const { token } = await newPerson();
    const made: string[] = [];
    for (let at = 0; at < 23; at++) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
      made.unshift((await create(token, { content: 'x', title: `No. ${at}` })).body.id);
    }
    const list = async (query: Record<string, string>) =>
      (await call('GET /api/share', { token, query: { mine: 'true', ...query } })).body;
    const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

    const first = await list({});
    expect(first).toMatchObject({ total: 23, page: 1, pageSize: 10, totalPages: 3 });
    expect(first.items[0]).toMatchObject({ title: 'No. 22', views: 0, protected: false });
    expect(first.items[0]).not.toHaveProperty('content');
    const byPage = [first, await list({ page: '2' }), await list({ page: '3' })];
    expect(byPage.flatMap(ids)).toEqual(made);
    expect(byPage.at(-1).nextCursor).toBeNull();

    const second = await list({ cursor: first.nextCursor });
    const third = await list({ cursor: second.nextCursor });
    expect([first, second, third].flatMap(ids)).toEqual(made);
    expect([second.page, third.page, third.nextCursor]).toEqual([2, 3, null]);

    const stranger = await newPerson();
    const foreign = await call('GET /api/share', {
      token: stranger.token,
      query: { mine: 'true', cursor: first.nextCursor },
    });
    expect(foreign).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'cursor' }] } },
    });
  });

  it('counts concurrently created shares', async () => {
    const { token } = await newPerson();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => create(token, { content: `No. ${at}` })),
    );
    expect(responses.every(({ status }) => status === 201)).toBe(true);
    const { body } = await call('GET /api/share', {
      token,
      query: { mine: 'true', pageSize: '100' },
    });
    expect(body.total).toBe(20);
    expect(new Set(body.items.map(({ id }: { id: string }) => id)).size).toBe(20);
  });
});
