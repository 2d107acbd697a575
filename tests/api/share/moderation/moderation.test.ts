import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { type Answer, call } from '../../../support/service/call.ts';
import {
  queuedJobs,
  runJobs,
  runMinute,
  useJobs,
  withoutQueue,
} from '../../../support/service/jobs.ts';
import { content, sharesOf } from '../../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn, view } from '../../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { newUserOf, type Person, setUser } from '../../../support/users/test-users.ts';
import { useNewPeople, usePeople } from '../../../support/users/use-people.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const { root } = usePeople({ root: 'super_admin' });
beforeEach(async () => {
  // Refills the rate limits.
  pass(2 * hour);
  await runJobs();
});
const { owner, moderator } = useNewPeople({
  owner: 'user',
  moderator: () => newUserOf('user', { extraPermissions: ['shares:manage'] }),
});
const { newShare, put, remove } = sharesOf(owner);
const { manage: detail, decide } = sharesOf(moderator);
afterEach(() => void vi.unstubAllEnvs());

const report = (id: string, reason: unknown = 'Not allowed here', token?: string) =>
  call('POST /api/share/{id}/report', { params: { id }, body: { reason }, token });
const list = (query: Record<string, string> = {}, token = moderator.token) =>
  call('GET /api/shares', { query, token });
const reported = async () => (await list({ reported: 'true', pageSize: '100' })).body.data;
const idsIn = ({ items }: { readonly items: readonly { readonly id: string }[] }) =>
  items.map(({ id }) => id);
const statuses = async (responses: readonly Promise<Answer>[]): Promise<number[]> =>
  (await Promise.all(responses)).map(({ status }) => status);
/** Returns the notifications about reported shares. */
const noticesOf = async (id: string, { id: userId }: Person = root) =>
  (await itemsOf(`USER#${userId}`)).filter(({ link }) => link === `/moderation?open=${id}`);

describe('POST /api/share/{id}/report', () => {
  it('accepts reports without an account and shows the reporter only to moderators', async () => {
    const id = await newShare({ password: 'Abc123', viewLimit: 1 });
    const reader = await newUserOf('guest');
    expect(await report(id, '  Spam, and worse\n')).toMatchObject({
      status: 201,
      body: { id, message: 'Report received.' },
    });
    pass(second);
    for (const token of [reader.token, owner.token, 'no token at all']) {
      expect((await report(id, 'Mine too', token)).status).toBe(201);
      pass(second);
    }
    const { body } = await detail(id);
    expect(body.data).toMatchObject({ reports: 4, content, views: 0 });
    expect(
      body.data.reportList.map(({ reason, userId }: Record<string, unknown>) => [reason, userId]),
    ).toEqual([
      ['Mine too', null],
      ['Mine too', owner.id],
      ['Mine too', reader.id],
      ['Spam, and worse', null],
    ]);
    const own = await call('GET /api/share', { query: { id, mine: 'true' }, token: owner.token });
    expect(JSON.stringify(own.body)).not.toMatch(/report|Spam/);
  });

  it.each([
    [undefined, 'is required'],
    ['', 'must be at least 3 characters'],
    ['  ab  ', 'must be at least 3 characters'],
    ['x'.repeat(1_001), 'must be at most 1000 characters'],
    ['evil\u202eexe', 'must not contain bidirectional control characters'],
    ['half \ud83d', 'must be well-formed Unicode'],
  ])('requires a valid reason: %#', async (reason, message) => {
    const id = await newShare();
    const response = await call('POST /api/share/{id}/report', {
      params: { id },
      body: { reason },
    });
    expect([response.status, response.body.error.details]).toEqual([
      400,
      [{ field: 'reason', message }],
    ]);
    expect((await detail(id)).body.data).toMatchObject({ reports: 0, reportList: [] });
  });

  it('allows ten reports per hour and network', async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const ids = [await newShare(), await newShare()];
    const responses = [];
    for (let at = 0; at < 11; at++) responses.push(await report(ids[at % 2] ?? ''));
    expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429]);
    expect(responses.at(-1)?.headers['retry-after']).toBe('360');
    pass(6 * minute);
    expect(await statuses([report(ids[0] ?? '')])).toEqual([201]);
  });

  it('returns 404 or 410 for unknown, deleted and ended shares', async () => {
    expect(await statuses([report('nothing'), report('not/an/id')])).toEqual([404, 404]);
    const [ended, deleted, down] = [
      await newShare({ expiresIn: 1 }),
      await newShare(),
      await newShare(),
    ];
    pass(second);
    await remove(deleted);
    await decide(down, 'take-down');
    expect(await statuses([report(ended), report(deleted), report(down)])).toEqual([410, 404, 410]);
    expect((await detail(down)).body.data.reports).toBe(0);
  });

  it('counts concurrent reports in one list entry', async () => {
    const id = await newShare();
    const before = (await reported()).total;
    const responses = await statuses(Array.from({ length: 8 }, () => report(id)));
    expect(responses).toEqual(Array(8).fill(201));
    const { total, items } = await reported();
    expect([total, items.at(-1)]).toMatchObject([before + 1, { id, reports: 8 }]);
    expect((await detail(id)).body.data.reportList).toHaveLength(8);
  });
});

describe('GET /api/shares', () => {
  it('lists reported shares, longest waiting first', async () => {
    const before = await reported();
    const [first, second_, third] = [await newShare(), await newShare(), await newShare()];
    for (const id of [second_, first, second_]) {
      pass(second);
      await report(id);
    }
    const { items, total, totalIsExact } = await reported();
    expect([total, totalIsExact]).toEqual([before.total + 2, true]);
    expect(items.slice(before.total)).toMatchObject([
      { id: second_, ownerId: owner.id, reports: 2, takenDownAt: null, status: 'active' },
      { id: first, reports: 1 },
    ]);
    expect(items.at(-2).reportedAt < items.at(-1).reportedAt).toBe(true);
    expect(items.at(-1)).not.toHaveProperty('content');
    expect(idsIn({ items })).not.toContain(third);
  });

  it('lists all shares with their total, newest first, by page and by cursor', async () => {
    const before = (await list()).body.data.total;
    const made: string[] = [];
    for (let at = 0; at < 5; at++) {
      pass(second);
      made.unshift(await newShare());
    }
    const byPage = [(await list({ pageSize: '3' })).body.data];
    expect(byPage[0]).toMatchObject({ total: before + 5, totalIsExact: true, page: 1 });
    byPage.push((await list({ pageSize: '3', cursor: byPage[0].nextCursor })).body.data);
    expect(byPage.flatMap(idsIn).slice(0, 5)).toEqual(made);
    expect(idsIn((await list({ pageSize: '3', page: '2' })).body.data)).toEqual(idsIn(byPage[1]));
    // A cursor is valid only for its list and its user.
    const other = await newUserOf('super_admin');
    const { nextCursor: cursor } = byPage[0];
    expect(
      await statuses([list({ cursor, reported: 'true' }), list({ cursor }, other.token)]),
    ).toEqual([400, 400]);
    await remove(made[0] ?? '');
    expect((await list()).body.data.total).toBe(before + 4);
  });
});

describe('GET /api/shares/{id}', () => {
  it('returns stored content of any share without counting a view', async () => {
    const id = await newShare({ content: '# Hi', language: 'markdown', viewLimit: 1 });
    const { html } = (await view(id)).body;
    expect((await detail(id)).body.data).toMatchObject({
      content: '# Hi',
      html,
      status: 'ended',
      views: 1,
    });
    await report(id);
    pass(3 * minute);
    await runMinute();
    const { body } = await detail(id);
    expect(body.data).toMatchObject({ content: null, status: 'ended', views: 1 });
    expect(body.data).not.toHaveProperty('html');
  });
});

describe('PUT /api/shares/{id}/decision', () => {
  const readers = (id: string, token?: string) =>
    statuses([
      view(id, 'Abc123'),
      view(id, undefined, 'HEAD'),
      page(id, token),
      raw(id, token),
      frame(id, token),
      open(id, { password: 'Abc123' }),
      report(id),
    ]);
  const gone = Array(7).fill(410);

  it.each([
    ['an open', {}],
    ['a limited', { viewLimit: 5 }],
    ['a protected', { password: 'Abc123' }],
    ['a large', { content: 'x'.repeat(100) + Array.from({ length: 9_000 }, Math.random).join() }],
  ])('takes %s share down everywhere immediately, and restores it', async (_, fields) => {
    const id = await newShare(fields);
    const token = tokenIn(await open(id, { password: 'Abc123' }));
    const before = (await detail(id)).body.data;
    await report(id);
    pass(second);
    const at = new Date().toISOString();
    expect(await decide(id, 'take-down')).toMatchObject({
      status: 200,
      body: {
        data: { id, status: 'taken-down', takenDownAt: at, reports: 0, reportedAt: null },
        message: 'Taken down',
      },
    });
    expect(await readers(id, token)).toEqual(gone);
    expect((await view(id, 'Abc123')).body.error.message).toBe('This share was taken down.');
    expect((await page(id, token)).body).toContain('This share was taken down');
    expect(idsIn(await reported())).not.toContain(id);
    // The same decision again changes nothing.
    pass(second);
    expect((await decide(id, 'take-down')).body.data.takenDownAt).toBe(at);

    expect(await decide(id, 'keep')).toMatchObject({
      status: 200,
      body: { data: { status: 'active', takenDownAt: null }, message: 'Kept' },
    });
    expect((await detail(id)).body.data).toMatchObject({
      content: before.content,
      views: before.views,
      status: 'active',
    });
    const [again] = await readers(id, token);
    expect(again).toBe(200);
  });

  it('is not reverted by an edit, only by deleting the share', async () => {
    const id = await newShare({ title: 'Bad' });
    await decide(id, 'take-down');
    const edits = [{ title: 'Good' }, { content: 'Good' }, { viewLimit: null }, {}];
    for (const edit of edits) {
      expect(await put(id, edit)).toMatchObject({
        status: 410,
        body: { error: { code: 'GONE' } },
      });
    }
    const mine = await call('GET /api/share', { query: { mine: 'true' }, token: owner.token });
    expect(mine.body.items[0]).toMatchObject({ id, title: 'Bad', status: 'taken-down' });
    expect((await view(id)).status).toBe(410);
    expect((await remove(id)).status).toBe(200);
    expect(await statuses([view(id), detail(id), decide(id, 'keep')])).toEqual([404, 404, 404]);
  });

  it('closes the reports, so that the next one notifies again', async () => {
    const id = await newShare();
    for (let at = 0; at < 3; at++) await report(id);
    pass(second);
    await runMinute();
    await runJobs();
    const [first, ...more] = await noticesOf(id);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      type: 'alert',
      title: 'A share was reported',
      content: 'An untitled share was reported. Review it and decide whether to keep it.',
    });
    expect(await noticesOf(id, moderator)).toHaveLength(1);
    expect(await noticesOf(id, owner)).toEqual([]);
    await decide(id, 'keep');
    expect(idsIn(await reported())).not.toContain(id);
    pass(second);
    await report(id, 'Again');
    pass(second);
    await runMinute();
    await runJobs();
    expect((await detail(id)).body.data).toMatchObject({
      reports: 1,
      reportList: [{ reason: 'Again' }, {}, {}, {}],
    });
    expect(await noticesOf(id)).toHaveLength(2);
    expect(idsIn(await reported())).toContain(id);
  });

  it('notifies the owner of changes by someone else', async () => {
    const id = await newShare({ title: 'Mine' });
    const told = async () =>
      (await call('GET /api/notifications', { token: owner.token })).body.data.items.map(
        ({ title, content }: { title: string; content: string }) => [title, content],
      );
    const before = (await told()).length;
    const news = async () => {
      const all = await told();
      return all.slice(0, all.length - before);
    };
    await decide(id, 'keep');
    expect(await news()).toEqual([]);
    await report(id);
    await decide(id, 'keep');
    const kept = ['Your share was reviewed', 'A moderator reviewed “Mine” and decided to keep it.'];
    expect(await news()).toEqual([kept]);
    pass(second);
    await decide(id, 'take-down');
    await decide(id, 'take-down');
    const down = [
      'Your share was taken down',
      'A moderator took down “Mine”. Its link no longer works.',
    ];
    expect(await news()).toEqual([down, kept]);
    pass(second);
    expect(
      (await call('DELETE /api/share/{id}', { params: { id }, token: moderator.token })).status,
    ).toBe(200);
    const deleted = [
      'Your share was deleted',
      'A moderator deleted “Mine”. Its link no longer works.',
    ];
    expect(await news()).toEqual([deleted, down, kept]);
    const own = await newShare({ title: 'Mine' });
    await remove(own);
    expect(await news()).toEqual([deleted, down, kept]);
  });

  it('skips the notification of a share that was moderated before the job ran', async () => {
    const id = await newShare();
    await withoutQueue(() => report(id));
    await decide(id, 'take-down');
    pass(minute);
    await runMinute();
    await runJobs();
    expect(await noticesOf(id)).toEqual([]);
  });

  it('skips the notification of a share that was deleted before the job ran', async () => {
    const id = await newShare();
    await withoutQueue(() => report(id));
    await remove(id);
    pass(minute);
    await runMinute();
    await runJobs();
    expect([await queuedJobs(), await noticesOf(id)]).toEqual([[], []]);
  });

  it('notifies no inactive moderator', async () => {
    const former = await newUserOf('super_admin');
    await setUser(former.id, { status: 'inactive' });
    const id = await newShare();
    await report(id);
    pass(second);
    await runMinute();
    await runJobs();
    expect(await noticesOf(id)).toHaveLength(1);
    expect(await noticesOf(id, former)).toEqual([]);
  });

  it('accepts only known decisions about existing shares', async () => {
    const id = await newShare();
    for (const decision of ['delete', null, undefined]) {
      expect((await decide(id, decision)).body.error.details).toMatchObject([
        { field: 'decision' },
      ]);
    }
    expect((await decide('nothing', 'keep')).status).toBe(404);
  });

  it('does not restore an ended share', async () => {
    const id = await newShare({ expiresIn: 60 });
    await decide(id, 'take-down');
    pass(minute);
    expect((await decide(id, 'keep')).body.data.status).toBe('ended');
    expect((await view(id)).status).toBe(410);
  });

  it('takes precedence over concurrent views and edits', async () => {
    for (let round = 0; round < 4; round++) {
      const id = await newShare();
      const [decision] = await Promise.all([
        decide(id, 'take-down'),
        put(id, { title: 'Other', content: 'Other' }),
        ...Array.from({ length: 4 }, () => view(id)),
      ]);
      expect(decision.status).toBe(200);
      expect(await statuses([view(id), page(id), raw(id), frame(id)])).toEqual([
        410, 410, 410, 410,
      ]);
      expect((await detail(id)).body.data.status).toBe('taken-down');
    }
  });
});
