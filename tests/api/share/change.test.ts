import { randomBytes } from 'node:crypto';
import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { randomText } from '../../support/shares/contents.ts';
import { textObjects } from '../../support/shares/objects.ts';
import { content as initial, sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn, view } from '../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

const minute = 60_000;
const noon = '2026-11-21T12:00:00Z';

useVirtualTime(noon);
useTable();
useBucket();
useJobs();

beforeEach(() => void vi.setSystemTime(noon));
const { owner } = useNewPeople({ owner: 'user' });
const { newShare, put: change, remove, look, end, list } = sharesOf(owner);
const statuses = async (responses: readonly Promise<Answer>[]): Promise<number[]> =>
  (await Promise.all(responses)).map(({ status }) => status);
/** Returns the token of a new view. */
const opened = async (id: string, fields?: Record<string, string>): Promise<string | undefined> =>
  tokenIn(await open(id, fields));
const large = (): string => randomBytes(20_000).toString('base64');
/** Content with an item of its own. */
const medium = randomText(2_000);

const inAnHour = '2026-11-21T13:00:00.000Z';

describe('PUT /api/share/{id}', () => {
  const all = {
    title: 'Title',
    description: 'More',
    viewLimit: 3,
    expiresAt: inAnHour,
    password: 'Abc123',
  };

  it.each([
    ['title', { title: 'Other' }, { title: 'Other' }],
    ['title', { title: null }, { title: null, titleIsGiven: false }],
    ['description', { description: 'Less' }, { description: 'Less' }],
    ['description', { description: null }, { description: null }],
    ['viewLimit', { viewLimit: 7 }, { viewLimit: 7, viewsLeft: 7 }],
    ['viewLimit', { viewLimit: null }, { viewLimit: null, viewsLeft: null }],
    ['expiresIn', { expiresIn: 60 }, { expiresAt: '2026-11-21T12:01:01.000Z' }],
    [
      'expiresAt',
      { expiresAt: '2026-11-21T14:30:00+02:00' },
      { expiresAt: '2026-11-21T12:30:00.000Z' },
    ],
    ['expiresAt', { expiresAt: null }, { expiresAt: null }],
    ['expiresIn', { expiresIn: null }, { expiresAt: null }],
    ['password', { password: null }, { protected: false }],
    ['language', { language: 'markdown' }, { language: 'markdown' }],
    ['content', { content: 'Other' }, {}],
  ])('sets %s alone: %o', async (_, body, changed) => {
    const id = await newShare(all);
    const { content: __, ...before } = (await look(id)).body;
    pass(1_000);
    const response = await change(id, body);
    const after = { ...before, ...changed, version: 2, updatedAt: '2026-11-21T12:00:01.000Z' };
    expect(response).toMatchObject({ status: 200, body: { ...after, message: 'Saved' } });
    const { content, html, ...stored } = (await look(id)).body;
    expect(stored).toEqual(after);
    expect(content).toBe('content' in body && body.content ? body.content : initial);
    expect(html).toBe(
      'language' in body && body.language ? '<p>What nobody else is to read</p>' : undefined,
    );
  });

  it('changes nothing if the share is sent back as it was read', async () => {
    const id = await newShare({ ...all, content: '# Hi', language: 'markdown' });
    const before = (await look(id)).body;
    pass(1_000);
    for (const body of [{}, before, { ...before, password: all.password }]) {
      expect((await change(id, body)).status).toBe(200);
      expect((await look(id)).body).toEqual(before);
    }
    const renamed = await change(id, { ...before, title: 'Other' });
    expect(renamed).toMatchObject({ status: 200, body: { title: 'Other', version: 2 } });
  });

  it.each([
    [{ content: '' }, 'content'],
    [{ viewLimit: 0 }, 'viewLimit'],
    [{ password: 'abc' }, 'password'],
    [{ password: 'abcdef', useRandomPassword: true }, 'useRandomPassword'],
    [{ expiresIn: 5, expiresAt: '2026-11-21T14:00:00Z' }, 'expiresAt'],
    [{ content: null }, 'content'],
    [{ language: null }, 'language'],
    [{ views: 9 }, 'views'],
    [{ ownerId: 1 }, 'ownerId'],
    [{ id: 'x' }, 'id'],
    [{ status: 'ended' }, 'status'],
    [{ version: 9 }, 'version'],
    [{ protected: false }, 'protected'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('rejects %o and changes nothing', async (body, field) => {
    const id = await newShare(all);
    const response = await change(id, { title: 'Other', ...body });
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
    expect((await look(id)).body).toMatchObject({ title: 'Title', version: 1 });
  });

  it('moves content between record, table and bucket and keeps the former as revisions', async () => {
    const id = await newShare();
    const objects = async () => (await textObjects()).filter((key) => key.includes(id)).length;
    for (const [language, content, left, place] of [
      ['html', large(), 1, 'bucket'],
      ['markdown', large(), 2, 'bucket'],
      ['markdown', '# Small', 2, 'record'],
      ['html', medium, 2, 'table'],
      ['html', '<p>Small</p>', 2, 'record'],
    ] as const) {
      expect((await change(id, { language, content })).status).toBe(200);
      const { body } = await view(id);
      expect([body.language, body.content === content, typeof body.html]).toEqual([
        language,
        true,
        language === 'html' ? 'undefined' : 'string',
      ]);
      pass(1_000);
      await runMinute();
      expect(await objects()).toBe(left);
      const items = (await itemsOf(`SHARE#${id}`))
        .map(({ sk }) => String(sk))
        .filter((sk) => !sk.startsWith('REVIS'));
      expect(items).toEqual(place === 'table' ? ['SHARE', 'STATE', 'TEXTS'] : ['SHARE', 'STATE']);
    }
    expect((await frame(id)).body).toContain('<p>Small</p>');
  });

  it('is limited to the owner and moderators and returns 404 to others', async () => {
    const id = await newShare({ viewLimit: 1 });
    const [stranger, admin, manager] = await Promise.all([
      newUserOf('user'),
      newUserOf('super_admin'),
      newUserOf('user', { extraPermissions: ['shares:manage'] }),
    ]);
    const asStranger = () => [
      sharesOf(stranger).put(id, { title: 'Mine' }),
      sharesOf(stranger).put(id, { content: '' }),
      sharesOf(stranger).remove(id),
      sharesOf(stranger).look(id),
    ];
    expect(await statuses(asStranger())).toEqual([404, 400, 404, 404]);
    for (const { token } of [admin, manager]) {
      expect(await sharesOf({ token }).put(id, { title: 'Managed' })).toMatchObject({
        status: 200,
        body: { title: 'Managed', views: 0 },
      });
    }
    expect((await list()).body.items[0]).toMatchObject({ title: 'Managed', version: 2 });
    // The responses stay the same after its end and after its content is purged.
    await view(id);
    expect(await statuses(asStranger())).toEqual([404, 400, 404, 404]);
    pass(3 * minute);
    await runMinute();
    expect(await statuses([...asStranger(), change(id, {})])).toEqual([404, 400, 404, 404, 410]);
    expect((await sharesOf(admin).remove(id)).status).toBe(200);
  });

  it('rejects a limit that is not above the counted views, and names them', async () => {
    const id = await newShare({ viewLimit: 5 });
    await view(id);
    const refused = (message: string) => ({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'viewLimit', message }] } },
    });
    expect(await change(id, { viewLimit: 1, title: 'New' })).toMatchObject(
      refused('must be greater than the 1 view already counted'),
    );
    await view(id);
    for (const viewLimit of [1, 2]) {
      expect(await change(id, { viewLimit })).toMatchObject(
        refused('must be greater than the 2 views already counted'),
      );
    }
    expect((await look(id)).body).toMatchObject({
      title: null,
      viewLimit: 5,
      views: 2,
      version: 1,
    });
    expect((await change(id, { viewLimit: 3 })).body).toMatchObject({ viewsLeft: 1, version: 2 });
  });

  it('accepts an unchanged limit and rejects one below the views of an unlimited share', async () => {
    const id = await newShare();
    for (let views = 0; views < 3; views++) await view(id);
    expect((await change(id, { viewLimit: 3 })).status).toBe(400);
    expect((await change(id, { viewLimit: 4 })).body).toMatchObject({ viewsLeft: 1 });
    expect((await change(id, { viewLimit: 4, title: 'Same' })).status).toBe(200);
  });

  it('never sets a limit that concurrent views have reached', async () => {
    for (let round = 0; round < 6; round++) {
      const id = await newShare({ viewLimit: 20 });
      const [{ status }, ...views] = await Promise.all([
        change(id, { viewLimit: 5 }),
        ...Array.from({ length: 4 + round }, () => view(id)),
      ]);
      const served = views.filter((one) => one.status === 200).length;
      const { body } = await look(id);
      expect(body.views).toBe(served);
      expect(body.viewLimit).toBe(status === 200 ? 5 : 20);
      expect(status === 400 ? served >= 5 : served <= 5).toBe(true);
    }
  });
});

describe('POST /api/share/{id}/end', () => {
  it('ends a share immediately, even for readers with a view token, and increments the version', async () => {
    const id = await newShare({ viewLimit: 5, expiresAt: inAnHour });
    const token = await opened(id);
    expect(await end(id)).toMatchObject({
      status: 200,
      body: { id, message: 'Share ended', status: 'ended', views: 1, viewsLeft: 4, version: 2 },
    });
    expect(
      await statuses([view(id), page(id, token), raw(id, token), frame(id, token), open(id)]),
    ).toEqual([410, 410, 410, 410, 410]);
    expect(await statuses([end(id), change(id, { viewLimit: null })])).toEqual([410, 410]);
  });

  it('purges the content later without notifying the owner', async () => {
    const id = await newShare({ title: 'Mine' });
    await end(id);
    pass(3 * minute);
    await runMinute();
    expect((await look(id)).status).toBe(410);
    const notices = (await itemsOf(`USER#${owner.id}`)).filter(({ sk }) =>
      String(sk).startsWith('NOTIFICATION#'),
    );
    expect(notices).toEqual([]);
    expect((await remove(id)).status).toBe(200);
  });

  it('is limited to the owner and moderators, and notifies the owner of a moderator’s action', async () => {
    const [other, moderator] = [await newUserOf('user'), await newUserOf('super_admin')];
    const id = await newShare({ title: 'Mine' });
    expect((await sharesOf(other).end(id)).status).toBe(404);
    expect((await end('nothing')).status).toBe(404);
    expect((await sharesOf(moderator).end(id)).body.status).toBe('ended');
    const { body } = await call('GET /api/notifications', { token: owner.token });
    expect(body.data.items).toMatchObject([
      {
        type: 'alert',
        title: 'Your share was ended',
        content: 'A moderator ended “Mine”. Its link no longer works.',
        link: '/shares',
      },
    ]);
  });

  it('tells the owner of a moderator’s edit once, and nobody of an own or an empty one', async () => {
    const moderator = await newUserOf('super_admin');
    const author = await newUserOf('user');
    const own = sharesOf(author);
    const id = await own.newShare({ title: 'Mine', slug: 'mine-alone' });
    const told = async () =>
      (await call('GET /api/notifications', { token: author.token })).body.data.items;
    await own.put(id, { title: 'Still mine' });
    await sharesOf(moderator).put(id, { title: 'Still mine' });
    expect(await told()).toEqual([]);
    expect((await sharesOf(moderator).put(id, { content: 'Another text' })).status).toBe(200);
    expect((await sharesOf(moderator).put(id, { content: 'Another text' })).status).toBe(200);
    expect(await told()).toMatchObject([
      {
        type: 'alert',
        title: 'Your share was edited',
        content:
          'A moderator edited “Still mine”. Its link stays the same, unless its name was changed.',
        link: '/shares',
      },
    ]);
    const restored = await call('POST /api/share/{id}/revisions/{version}/restore', {
      token: moderator.token,
      params: { id, version: '2' },
    });
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
    expect(await told()).toHaveLength(2);
    const own2 = sharesOf(moderator);
    const theirs = await own2.newShare();
    await own2.put(theirs, { title: 'Theirs' });
    const { body } = await call('GET /api/notifications', { token: moderator.token });
    expect(body.data.items).toEqual([]);
  });

  it('ends a share once for concurrent requests', async () => {
    const id = await newShare();
    const ended = await statuses(Array.from({ length: 5 }, () => end(id)));
    expect(ended.sort()).toEqual([200, 410, 410, 410, 410]);
    expect((await look(id)).body.version).toBe(2);
  });
});

describe('the password of an updated share', () => {
  it('can be set, replaced, generated and removed, effective immediately', async () => {
    const id = await newShare();
    const tryAll = async (...given: (string | undefined)[]) =>
      statuses(given.map((one) => view(id, one)));
    await change(id, { password: 'Abc123' });
    expect(await tryAll(undefined, 'Abc124', 'Abc123')).toEqual([401, 401, 200]);
    await change(id, { password: 'Def456' });
    expect(await tryAll('Abc123', 'Def456')).toEqual([401, 200]);
    const { body } = await change(id, { useRandomPassword: true });
    expect(body.password).toMatch(/^[A-Za-z0-9]{6}$/);
    expect(await tryAll('Def456', body.password)).toEqual([401, 200]);
    expect(await tryAll((await change(id, { title: 'x' })).body.password, body.password)).toEqual([
      401, 200,
    ]);
    expect(JSON.stringify([await look(id), await itemsOf(`SHARE#${id}`)])).not.toContain(
      body.password,
    );
    await change(id, { password: null });
    expect(await tryAll(undefined, 'Def456')).toEqual([200, 200]);
  });

  it('is required again from readers with a view token', async () => {
    const id = await newShare({ password: 'Abc123', viewLimit: 9 });
    const fields = { password: 'Abc123', claim: 'a form' };
    const seen = async (token: string | undefined) => ({
      page: String((await page(id, token)).body).includes(`action="/s/${id}/open"`),
      others: await statuses([raw(id, token), frame(id, token)]),
    });
    const shown = { page: false, others: [200, 200] };
    const asked = { page: true, others: [401, 404] };
    const token = await opened(id, fields);
    await change(id, { title: 'Other' });
    expect(await seen(token)).toEqual(shown);
    await change(id, { password: 'Def456' });
    expect(await seen(token)).toEqual(asked);
    // A form submitted again is the same view and grants no further access.
    const again = await opened(id, fields);
    expect(await seen(again)).toEqual(asked);
    await change(id, { password: null });
    expect(await seen(token)).toEqual(shown);
    await change(id, { password: 'Abc123' });
    expect(await seen(token)).toEqual(asked);
    expect(await seen(await opened(id, { password: 'Abc123' }))).toEqual(shown);
  });

  it('is required from readers who opened a limited share before it was set', async () => {
    const id = await newShare({ viewLimit: 9 });
    const token = await opened(id);
    await change(id, { password: 'Abc123' });
    expect(await statuses([raw(id, token), frame(id, token)])).toEqual([401, 404]);
  });

  it('never locks the owner out of list, share or edit', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const id = await newShare({ password: 'Abc123', viewLimit: 1 });
    const wrong = await statuses(Array.from({ length: 6 }, () => view(id, 'wrong1')));
    expect(wrong.sort()).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await view(id, 'Abc123')).status).toBe(429);
    expect(await look(id)).toMatchObject({ status: 200, body: { content: initial, views: 0 } });
    const withPassword = await call('GET /api/share', {
      query: { id, mine: 'true', password: 'Abc123' },
      token: owner.token,
    });
    expect(withPassword.status).toBe(200);
    expect((await list()).body.total).toBe(1);
    expect((await change(id, { password: null })).status).toBe(200);
    expect((await view(id)).status).toBe(200);
    vi.unstubAllEnvs();
  });
});

describe('a concurrent update', () => {
  /** Runs a callback between the reads of a share’s record and its content. */
  const betweenReads = async (happen: () => Promise<unknown>): Promise<void> => {
    const stack = documentClient().middlewareStack;
    const isText = ({ sk }: Record<string, unknown>) => sk === 'TEXTS';
    stack.add(
      (next) => async (args) => {
        if (!(args.input as QueryCommandInput).ExpressionAttributeValues?.[':last']) {
          return next(args);
        }
        stack.remove('between');
        const early = await next(args);
        await happen();
        const late = await next(args);
        const itemsOf = ({ output }: typeof early) => (output as QueryCommandOutput).Items ?? [];
        const Items = [
          ...itemsOf(early).filter((item) => !isText(item)),
          ...itemsOf(late).filter(isText),
        ];
        return { ...early, output: { ...early.output, Items } };
      },
      { step: 'initialize', name: 'between' },
    );
  };

  it.each(['<p>Other</p>', randomText(2_000), large()])(
    'does not end the share',
    async (content) => {
      const ways = [view, raw, (id: string) => look(id)];
      for (const way of ways) {
        const id = await newShare({ content: medium });
        await betweenReads(() => change(id, { content }));
        const { status, body } = await way(id);
        expect([status, body.content ?? body]).toEqual([200, content]);
      }
    },
  );

  it('reveals nothing that requires a password since', async () => {
    const content = 'Not for everybody';
    for (const guard of [{ password: 'Abc123' }, { viewLimit: 1 }]) {
      for (const way of [view, raw, page, frame]) {
        const id = await newShare({ content: medium });
        await betweenReads(() => change(id, { content, ...guard }));
        expect(JSON.stringify(await way(id))).not.toContain(content);
      }
    }
  });

  it('succeeds for a share that is viewed continuously', async () => {
    const id = await newShare();
    let isEdited = false;
    const views = new Set<number>();
    const viewing = Array.from({ length: 3 }, async () => {
      while (!isEdited) views.add((await view(id)).status);
    });
    const edits = [];
    for (const content of [large(), 'small', large()])
      edits.push((await change(id, { content })).status);
    isEdited = true;
    await Promise.all(viewing);
    expect(edits).toEqual([200, 200, 200]);
    expect([...views]).toEqual([200]);
  });
});
