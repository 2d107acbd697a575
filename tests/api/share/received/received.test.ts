import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { minuteLater, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { readPages } from '../../../support/service/pages.ts';
import { receivedOf } from '../../../support/shares/received.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { newSeal, sealedBody } from '../../../support/shares/sealed.ts';
import { clearTable } from '../../../support/table/clear-table.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf, setUser } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { ann, bob, eve } = useNewPeople({ ann: newPerson, bob: newPerson, eve: newPerson });
const [hers, his, eves] = [sharesOf(ann), receivedOf(bob), receivedOf(eve)];

beforeEach(() => {
  vi.stubEnv('REGISTRATION', 'invite');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  // Members would see what the tests before have shared with all.
  await clearTable();
});

/** Creates a share, and waits until it is in lists. */
const share = async (title: string, fields: object): Promise<string> => {
  pass(1_000);
  const id = await hers.newShare({ title, ...fields });
  await settleJobs();
  return id;
};

const toBob = (title: string, fields: object = {}) =>
  share(title, { readers: [bob.id], ...fields });
const toAll = (title: string, fields: object = {}) =>
  share(title, { audience: 'members', ...fields });

describe('GET /api/share/received', () => {
  it('says which are sealed, which open by their whole link only', async () => {
    await toBob('Sealed', await sealedBody(await newSeal()));
    await toBob('Plain');
    const { body } = await his.received();
    expect(
      body.items.map(({ title, sealed, protected: asks }: Record<string, unknown>) => [
        title,
        sealed,
        asks,
      ]),
    ).toEqual([
      ['Plain', undefined, false],
      ['Sealed', true, false],
    ]);
  });

  it('lists what names the caller and what is for all members, newest first', async () => {
    const first = await toBob('Named', { readers: [bob.id, eve.id] });
    const second = await toAll('For all', { language: 'markdown', password: 'Abc123' });
    const { body } = await his.received();
    expect(body).toEqual({
      items: [
        {
          id: second,
          title: 'For all',
          language: 'markdown',
          url: expect.stringMatching(new RegExp(`/s/${second}$`)),
          from: { id: ann.id, name: 'Ann Example', avatar: null },
          audience: 'members',
          readersCount: 0,
          sharedAt: expect.stringMatching(/^2026-11-21T12:00/),
          isNew: true,
          protected: true,
          status: 'active',
        },
        expect.objectContaining({
          id: first,
          title: 'Named',
          audience: 'people',
          readersCount: 1,
          protected: false,
        }),
      ],
      new: 2,
      page: 1,
      pageSize: 10,
      nextCursor: null,
    });
    expect(await receivedOf(ann).titles()).toEqual([]);
    expect(await eves.titles()).toEqual(['For all', 'Named']);
  });

  it('lists nothing that the record doesn’t let the caller open', async () => {
    const ids = {
      unnamed: await toBob('Unnamed'),
      narrowed: await toAll('Narrowed'),
      takenDown: await toBob('Taken down'),
      deleted: await toAll('Deleted'),
    };
    await share('Of nobody', { audience: 'private' });
    await share('Of anyone', {});
    const moderator = sharesOf(await newUserOf('super_admin'));
    await hers.put(ids.unnamed, { readers: [eve.id] });
    await hers.put(ids.narrowed, { audience: 'private' });
    await moderator.decide(ids.takenDown, 'take-down');
    await hers.remove(ids.deleted);
    // Before the job has run, and after.
    expect(await his.titles()).toEqual([]);
    await settleJobs();
    expect(await his.titles()).toEqual([]);
    expect(await eves.titles()).toEqual(['Unnamed']);
  });

  it('lists nothing of a suspended owner, and nothing wider than the settings allow', async () => {
    await toBob('Named');
    await toAll('For all');
    vi.stubEnv('MAX_AUDIENCE', 'people');
    expect(await his.titles()).toEqual(['Named']);
    vi.stubEnv('MAX_AUDIENCE', 'private');
    expect(await his.titles()).toEqual([]);
    vi.stubEnv('MAX_AUDIENCE', 'link');
    vi.stubEnv('REGISTRATION', 'open');
    expect(await his.titles()).toEqual(['Named']);
    vi.stubEnv('REGISTRATION', 'invite');
    await setUser(ann.id, { status: 'suspended' });
    expect(await his.titles()).toEqual([]);
  });

  it('shows a share that has ended until its content is deleted', async () => {
    const id = await toBob('Named', { expiresIn: 60 });
    await toAll('For all', { expiresIn: 60 });
    pass(61_000);
    expect((await his.received()).body.items).toMatchObject([
      { title: 'For all', status: 'ended' },
      { title: 'Named', status: 'ended' },
    ]);
    pass(120_000);
    await settleJobs();
    expect((await his.received()).body).toMatchObject({ items: [], new: 0 });
    // It still knows its readers, who learn that it has ended.
    expect((await hers.look(id)).status).toBe(410);
  });

  it.each([
    [{ title: 'Given', content: '# Own' }, 'Given'],
    [{ title: null, content: '# Own' }, 'Own'],
    [{ title: null, content: '# Own', password: 'Abc123' }, null],
    [{ title: null, content: '# Own', viewLimit: 1 }, null],
    [{ title: 'Given', content: '# Own', password: 'Abc123' }, 'Given'],
  ])('shows of %j the title %s', async (fields, title) => {
    await hers.newShare({ language: 'markdown', readers: [bob.id], ...fields });
    await settleJobs();
    expect(await his.titles()).toEqual([title]);
  });

  it('goes on by cursor through both, with none missed or repeated', async () => {
    const titles = Array.from({ length: 9 }, (_, at) => `${at}`);
    for (const [at, title] of titles.entries()) {
      await (at % 3 === 0 ? toAll(title) : toBob(title));
    }
    await his.unlist((await his.received()).body.items[2].id);
    const pages = await readPages((at) => his.received({ pageSize: '3', ...at }));
    expect(pages.map(({ items }) => items.map(({ title }: { title: string }) => title))).toEqual([
      ['8', '7', '5'],
      ['4', '3', '2'],
      ['1', '0'],
    ]);
  });

  it('orders shares of the same moment, also across pages', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) {
      ids.push(await hers.newShare(at % 2 ? { audience: 'members' } : { readers: [bob.id] }));
    }
    await settleJobs();
    const pages = await readPages((at) => his.received({ pageSize: '1', ...at }));
    const read = pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id));
    expect(read.toSorted()).toEqual(ids.toSorted());
  });

  it('refuses page numbers, and cursors of someone else', async () => {
    for (const title of ['1', '2']) await toAll(title);
    const { nextCursor } = (await his.received({ pageSize: '1' })).body;
    expect((await eves.received({ cursor: nextCursor })).status).toBe(400);
    const { status, body } = await his.received({ page: '2' });
    expect({ status, body }).toEqual({
      status: 400,
      body: errorBody('VALIDATION_ERROR', expect.anything(), [
        { field: 'page', message: 'must be 1; use `cursor`' },
      ]),
    });
  });
});

describe('the number of new shares', () => {
  it('counts those since the last visit, at first since the account exists', async () => {
    await toAll('Before');
    const dan = await newUserOf('user');
    const dans = receivedOf(dan);
    expect((await dans.received()).body).toMatchObject({ new: 0, items: [{ isNew: false }] });
    pass(1_000);
    await toAll('One');
    await share('Two', { readers: [dan.id] });
    const { new: count, items } = (await dans.received()).body;
    expect(count).toBe(2);
    const [two, one] = items;
    expect((await dans.see({ until: one.sharedAt })).body).toEqual({
      seenAt: one.sharedAt,
      message: 'Marked as seen',
    });
    expect((await dans.received()).body).toMatchObject({
      new: 1,
      items: [{ isNew: true }, { isNew: false }, { isNew: false }],
    });
    await dans.see({ until: two.sharedAt });
    // An earlier one changes nothing, nor does a later one than now.
    expect((await dans.see({ until: one.sharedAt })).body.seenAt).toBe(two.sharedAt);
    await dans.see({ until: '2100-01-01T00:00:00Z' });
    pass(1_000);
    await toAll('Three');
    expect((await dans.received()).body.new).toBe(1);
  });

  it('leaves out what the settings allow nobody to open', async () => {
    pass(1_000);
    const dans = receivedOf(await newUserOf('user'));
    const count = async () => (await dans.received()).body.new;
    await toAll('For all');
    expect(await count()).toBe(1);
    vi.stubEnv('MAX_AUDIENCE', 'people');
    expect(await count()).toBe(0);
    vi.stubEnv('MAX_AUDIENCE', 'link');
    // Who registers would learn that there are shares for members.
    vi.stubEnv('REGISTRATION', 'open');
    expect(await count()).toBe(0);
  });

  it('leaves out the caller’s own shares', async () => {
    await toAll('For all');
    expect((await receivedOf(ann).received()).body).toMatchObject({ new: 0, items: [] });
  });
});

describe('DELETE /api/share/received/{id}', () => {
  it.each([
    ['names the caller', toBob],
    ['is for all members', toAll],
  ])('takes a share that %s out of the own list alone, also repeated', async (_, make) => {
    const id = await make('Shared', { readers: make === toBob ? [bob.id, eve.id] : undefined });
    for (let times = 0; times < 2; times++) {
      expect((await his.unlist(id)).body).toEqual({ id, message: 'Removed from your list' });
    }
    expect(await his.titles()).toEqual([]);
    expect(await eves.titles()).toEqual(['Shared']);
    expect((await sharesOf(bob).look(id)).status).toBe(404);
    await hers.put(id, { title: 'Other' });
    await settleJobs();
    expect(await his.titles()).toEqual([]);
  });

  it('lists it again once it is shared again', async () => {
    const named = await toBob('Named', { readers: [bob.id, eve.id] });
    const forAll = await toAll('For all');
    for (const id of [named, forAll]) await his.unlist(id);
    await hers.put(named, { readers: [eve.id] });
    await hers.put(forAll, { audience: 'private' });
    await minuteLater();
    await hers.put(named, { readers: [eve.id, bob.id] });
    pass(1_000);
    await hers.put(forAll, { audience: 'members' });
    await settleJobs();
    expect(await his.titles()).toEqual(['For all', 'Named']);
  });

  it('answers the 404 of an unknown id for what isn’t shared with the caller', async () => {
    const ids = [
      await share('Of others', { readers: [eve.id] }),
      await share('Of nobody', { audience: 'private' }),
      await share('Of anyone', {}),
      'mZ3kP0cWbq7x1VvH9sTt2A',
    ];
    for (const id of ids) {
      const { status, body } = await his.unlist(id);
      expect({ status, body }).toEqual({
        status: 404,
        body: errorBody('NOT_FOUND', 'Share not found.'),
      });
    }
    const own = await toAll('Own');
    expect((await receivedOf(ann).unlist(own)).status).toBe(404);
  });
});
