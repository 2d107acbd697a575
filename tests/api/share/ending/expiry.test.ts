import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { purgeEndedShare } from '../../../../functions/api/share/ending/expiry.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import {
  queuedWork,
  runJobs,
  runMinute,
  useJobs,
  withoutQueue,
} from '../../../support/service/jobs.ts';
import { textObjects } from '../../../support/shares/objects.ts';
import { content, report, sharesOf } from '../../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn, view } from '../../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { login, newUserOf } from '../../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../../support/users/use-people.ts';

const second = 1_000;
const minute = 60 * second;
const day = 86_400 * second;

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

beforeEach(async () => {
  // Makes the leftovers of the previous test due. Tokens expire at whole seconds.
  pass(day - (Date.now() % second));
  await runJobs();
});
const { owner } = useNewPeople({ owner: 'user' });
const { newShare, put: change, remove, look, list, end } = sharesOf(owner);

const large = (): string => randomBytes(20_000).toString('base64');
const ownList = async () => (await list()).body;

/** All routes that read a share. */
const ways = {
  view: (id: string) => view(id),
  'view with a password': (id: string) => view(id, 'Abc123'),
  HEAD: (id: string) => view(id, undefined, 'HEAD'),
  page: (id: string) => page(id),
  'HEAD of the page': (id: string) => page(id, undefined, 'HEAD'),
  raw: (id: string) => raw(id),
  frame: (id: string) => frame(id),
  open: (id: string) => open(id),
  report: (id: string) => report(id),
} as const;
const answersOf = (id: string) => Promise.all(Object.values(ways).map((way) => way(id)));
const everywhere = async (id: string): Promise<Record<string, number>> => {
  const responses = await answersOf(id);
  return Object.fromEntries(Object.keys(ways).map((way, at) => [way, responses[at]?.status ?? 0]));
};
const all = (status: number) => Object.fromEntries(Object.keys(ways).map((way) => [way, status]));

const itemOf = async (id: string, name: string) =>
  (await itemsOf(`SHARE#${id}`)).find(({ sk }) => sk === name);
const objectsOf = async (id: string) => (await textObjects()).filter((key) => key.includes(id));
const hasContent = async (id: string): Promise<boolean> =>
  (await itemOf(id, 'SHARE'))?.['texts'] !== undefined ||
  (await itemOf(id, 'TEXTS')) !== undefined ||
  (await objectsOf(id)).length > 0;
/** Runs everything that is due within the next minute. */
const runAll = async () => {
  await runJobs();
  await runMinute();
};

/** The ways to end a share. */
const endings = {
  'its last view': async (fields: Record<string, unknown>) => {
    const id = await newShare({ viewLimit: 2, ...fields });
    await view(id);
    await open(id);
    return id;
  },
  'its time': async (fields: Record<string, unknown>) => {
    const id = await newShare({ expiresIn: 30, ...fields });
    pass(30 * second);
    return id;
  },
  'its owner': async (fields: Record<string, unknown>) => {
    const id = await newShare({ viewLimit: 2, ...fields });
    await view(id);
    await end(id);
    return id;
  },
} as const;

describe.each(Object.entries(endings))('a share ended by %s', (_, endWith) => {
  const secrets = { title: 'Secret title', description: 'Secret text', content: 'Secret content' };

  it('returns 410 to every reader and reveals no content', async () => {
    const id = await endWith(secrets);
    expect(await everywhere(id)).toEqual(all(410));
    const responses = await answersOf(id);
    expect(JSON.stringify(responses)).not.toMatch(/Secret/);
    for (const { body } of responses) {
      if (typeof body === 'object') expect(body.error.code).toBe('GONE');
    }
    expect((await change(id, { viewLimit: 99, expiresAt: null })).body.error.code).toBe('GONE');
    expect((await ownList()).items[0]).toMatchObject({ id, status: 'ended' });
  });

  it('keeps its content for its owner for 120 s', async () => {
    const id = await endWith(secrets);
    pass(120 * second - 1);
    await runAll();
    expect(await hasContent(id)).toBe(true);
    expect(await look(id)).toMatchObject({ status: 200, body: secrets });
  });

  it.each([
    ['small', 'Small secret'],
    ['large', large()],
  ])('loses its %s content after 120 s, and all other data', async (size, content) => {
    const id = await endWith({ ...secrets, content });
    const endedAt = new Date().toISOString();
    expect(await objectsOf(id)).toHaveLength(size === 'large' ? 1 : 0);
    pass(120 * second + 1);
    await runAll();
    pass(second);
    await runMinute();
    expect(await hasContent(id)).toBe(false);
    expect(await itemsOf(`SHARE#${id}`)).toMatchObject([
      { sk: 'SHARE', endedAt, ownerId: owner.id },
      { sk: 'STATE' },
    ]);
    expect(JSON.stringify(await itemsOf(`SHARE#${id}`))).not.toMatch(/Secret (text|content)|hash/);
    expect(await everywhere(id)).toEqual(all(410));
    expect((await look(id)).status).toBe(410);
    expect((await change(id, { content: 'Back' })).status).toBe(410);
  });

  it('keeps a tombstone for 90 days and returns 404 afterwards', async () => {
    const admin = await newUserOf('super_admin');
    const countAll = async () => {
      const { body } = await login(admin.email);
      return (await call('GET /api/shares', { token: body.accessToken })).body.data.total;
    };
    const id = await endWith({});
    const end = Date.now();
    pass(3 * minute);
    await runAll();
    pass(end + 90 * day - 1 - Date.now());
    await runAll();
    expect(await everywhere(id)).toEqual(all(410));
    await signInAgain(owner);
    expect((await ownList()).total).toBe(1);
    pass(1);
    expect(await everywhere(id)).toEqual(all(404));
    pass(minute);
    await runMinute();
    expect(await everywhere(id)).toEqual(all(404));
    await signInAgain(owner);
    expect(await ownList()).toMatchObject({ items: [], total: 0 });
    expect(await countAll()).toBe(
      (await itemsOf('SHARE#')).filter(({ sk }) => sk === 'SHARE').length,
    );
    expect(await itemsOf(`SHARE#${id}`)).toEqual([]);
    expect((await remove(id)).status).toBe(404);
  });

  it('can be deleted at any time', async () => {
    for (const wait of [0, 3 * minute, 30 * day]) {
      const id = await endWith({ content: large() });
      pass(wait);
      await runAll();
      await signInAgain(owner);
      expect((await remove(id)).status).toBe(200);
      expect(await everywhere(id)).toEqual(all(404));
      expect(await itemsOf(`SHARE#${id}`)).toEqual([]);
      pass(second);
      await runMinute();
      expect(await objectsOf(id)).toEqual([]);
    }
    await signInAgain(owner);
    expect((await ownList()).total).toBe(0);
  });
});

describe('the last view of a share', () => {
  it('can be read on page, raw and frame for exactly a minute', async () => {
    const id = await newShare({ viewLimit: 1, password: 'Abc123' });
    const taken = tokenIn(await open(id, { password: 'Abc123' }));
    const seen = async () =>
      (await Promise.all([page(id, taken), raw(id, taken), frame(id, taken)])).map(
        ({ status }) => status,
      );
    expect(await seen()).toEqual([200, 200, 200]);
    pass(minute - 1);
    expect(await seen()).toEqual([200, 200, 200]);
    expect(await everywhere(id)).toEqual(all(410));
    pass(1);
    expect(await seen()).toEqual([410, 410, 410]);
  });

  it('purges the content by its job', async () => {
    const id = await newShare({ viewLimit: 1 });
    await view(id);
    pass(120 * second - 1);
    await runJobs();
    expect([await queuedWork(), await hasContent(id)]).toEqual([
      [expect.stringContaining(id)],
      true,
    ]);
    pass(1);
    await runJobs();
    expect([await queuedWork(), await hasContent(id)]).toEqual([[], false]);
  });

  it('purges the content by the scheduled run if the job is lost', async () => {
    const id = await newShare({ viewLimit: 1 });
    await view(id);
    pass(120 * second - 1);
    await runMinute();
    expect(await hasContent(id)).toBe(true);
    pass(1);
    await runMinute();
    expect(await hasContent(id)).toBe(false);
    // The late job has no effect.
    expect(await queuedWork()).toEqual([expect.stringContaining(id)]);
    await runJobs();
    expect(await queuedWork()).toEqual([]);
    expect(await everywhere(id)).toEqual(all(410));
  });

  it('is served while the queue is unavailable and keeps its job', async () => {
    const id = await newShare({ viewLimit: 1 });
    expect((await withoutQueue(() => view(id))).status).toBe(200);
    expect(await itemsOf('OUTBOX')).toHaveLength(1);
    pass(121 * second);
    await runAll();
    expect(await hasContent(id)).toBe(false);
  });

  it('purges 60 shares in one run and deletes their tombstones in one run', async () => {
    const left = async (name: string) =>
      (await itemsOf('SHARE#')).filter(({ sk }) => sk === name).length;
    const [contents, shares] = [await left('TEXTS'), await left('SHARE')];
    for (let at = 0; at < 60; at++) await view(await newShare({ viewLimit: 1 }));
    pass(121 * second);
    await runMinute();
    expect([await left('TEXTS'), await left('SHARE')]).toEqual([contents, shares + 60]);
    pass(91 * day);
    await runMinute();
    expect(await left('SHARE')).toBeLessThanOrEqual(shares);
  });
});

describe('the owner of a share', () => {
  const told = async () => {
    const { body } = await call('GET /api/notifications', { token: owner.token });
    return body.data.items.map((item: Record<string, unknown>) => [item['title'], item['content']]);
  };

  it('is notified of the end exactly once', async () => {
    const byViews = await newShare({ viewLimit: 1, title: 'One view' });
    await newShare({ expiresIn: 60 });
    const kept = await newShare({ viewLimit: 2 });
    const deleted = await newShare({ viewLimit: 1 });
    await Promise.all([view(byViews), view(kept), view(deleted)]);
    await remove(deleted);
    expect(await told()).toEqual([]);
    pass(4 * minute);
    await Promise.all([purgeEndedShare(byViews), purgeEndedShare(byViews), runMinute()]);
    await runJobs();
    pass(minute);
    await runMinute();
    expect((await told()).toSorted()).toEqual([
      ['Your share has ended', 'Your share expired.'],
      ['Your share has ended', '“One view” reached its view limit.'],
    ]);
  });
});

describe('a share before its end', () => {
  it('has more views after raising the limit, and any number without one', async () => {
    const id = await newShare({ viewLimit: 2 });
    await view(id);
    expect((await change(id, { viewLimit: 3 })).body).toMatchObject({ views: 1, viewsLeft: 2 });
    expect([(await view(id)).status, (await view(id)).status]).toEqual([200, 200]);
    expect((await view(id)).status).toBe(410);
    const other = await newShare({ viewLimit: 2 });
    await view(other);
    await change(other, { viewLimit: null });
    for (let times = 0; times < 3; times++) expect((await view(other)).status).toBe(200);
    pass(5 * minute);
    await runAll();
    expect((await view(other)).body).toMatchObject({ content, views: 5 });
  });

  it('follows a later, an earlier and no expiration', async () => {
    const [later, never, earlier] = [
      await newShare({ expiresIn: 60 }),
      await newShare({ expiresIn: 60 }),
      await newShare({ expiresIn: 3_600 }),
    ];
    await change(later, { expiresIn: 600 });
    await change(never, { expiresAt: null });
    await change(earlier, { expiresIn: 60 });
    pass(5 * minute);
    await runAll();
    const statuses = async () =>
      (await Promise.all([later, never, earlier].map((id) => view(id)))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual([200, 200, 410]);
    expect(await hasContent(earlier)).toBe(false);
    pass(5 * minute);
    expect(await statuses()).toEqual([410, 200, 410]);
    pass(3 * minute);
    await runAll();
    expect([await hasContent(later), await hasContent(never)]).toEqual([false, true]);
  });
});

describe('concurrent requests', () => {
  it('leave either all items or none', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await newShare({ viewLimit: 1, content: large() });
      await view(id);
      pass(121 * second);
      const [deleted, edit] = await Promise.all([
        remove(id),
        change(id, { viewLimit: 9, content: 'Back' }),
        purgeEndedShare(id),
        runMinute(),
        runJobs(),
      ]);
      expect([deleted.status, [404, 410].includes(edit.status)]).toEqual([200, true]);
      pass(second);
      await runAll();
      expect(await itemsOf(`SHARE#${id}`)).toEqual([]);
      expect(await objectsOf(id)).toEqual([]);
    }
    expect(await ownList()).toMatchObject({ items: [], total: 0 });
    expect(await itemsOf('DELETIONS')).toEqual([]);
  });
});
