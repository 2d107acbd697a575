import { describe, expect, it } from 'vitest';
import { toldEvents, toldOnce, useEvents, wantEvents } from '../../support/events/events.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { linksOf, sharesOf } from '../../support/shares/requests.ts';
import { open, page, tokenIn, view } from '../../support/shares/shares.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useEvents();
const meter = useMeter();

const { ann, rea } = useNewPeople({ ann: newPerson, rea: newPerson });
const hers = sharesOf(ann);

const countView = (id: string, claim?: string) =>
  call('POST /s/{id}/view', { params: { id }, body: { claim } });

const openedBy = async () =>
  (await toldOnce()).filter(({ event }) => event.type === 'share.opened');

describe('share.opened', () => {
  it('says what was opened, with which link and how often', async () => {
    await wantEvents(ann.id, '*');
    const id = await hers.newShare({ title: 'Offer', viewLimit: 5 });
    await view(id);
    expect(await toldEvents()).toEqual([
      {
        userId: ann.id,
        event: {
          id: expect.stringMatching(/^evt_[\w-]{22}$/),
          type: 'share.opened',
          timestamp: '2026-11-21T12:00:00.000Z',
          data: {
            share: { id, url: expect.stringMatching(new RegExp(`/s/${id}$`)), title: 'Offer' },
            link: null,
            readerId: null,
            views: 1,
            viewsLeft: 4,
          },
        },
      },
    ]);
  });

  it('is told of 20 at once, each view once', async () => {
    await wantEvents(ann.id, 'share.opened');
    const limited = await hers.newShare({ viewLimit: 12 });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await view(limited)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    const told = await openedBy();
    expect(
      told.map(({ event }) => event.data['views']).sort((a, b) => Number(a) - Number(b)),
    ).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  it('is told of pages that a job counts, once for the same claim', async () => {
    await wantEvents(ann.id, 'share.opened');
    const id = await hers.newShare({ title: 'Offer' });
    await page(id);
    await page(id);
    await countView(id, 'one-and-the-same');
    await countView(id, 'one-and-the-same');
    await countView(id, 'another-one');
    const told = await openedBy();
    expect(told).toHaveLength(4);
    expect(told[0]?.event.data).toMatchObject({ views: null, viewsLeft: null });
    expect((await hers.look(id)).body.views).toBe(4);
  });

  it('is told once of a form that is sent again, and not of what shows the view again', async () => {
    await wantEvents(ann.id, 'share.opened');
    const id = await hers.newShare({ viewLimit: 3 });
    const claim = { claim: 'the-same-form-again' };
    const token = tokenIn(await open(id, claim));
    await open(id, claim);
    await page(id, token);
    await call('GET /s/{id}/raw', { params: { id }, query: { view: token ?? '' } });
    expect((await hers.look(id)).body.views).toBe(1);
    expect(await openedBy()).toHaveLength(1);
  });

  it('is not told of a view that is refused', async () => {
    await wantEvents(ann.id, '*');
    const id = await hers.newShare({ viewLimit: 1, password: 'Abc123' });
    expect((await view(id, 'wrong')).status).toBe(401);
    expect((await view(id)).status).toBe(401);
    expect((await view(id, 'Abc123', 'HEAD')).status).toBe(200);
    expect(await toldEvents()).toEqual([]);
  });

  it('names the link by its label, never by an address, nor by the id that opens it', async () => {
    await wantEvents(ann.id, 'share.opened');
    const id = await hers.newShare();
    const { addLink } = linksOf(ann);
    const mei = (await addLink(id, { label: 'Mei' })).body.id;
    const other = (await addLink(id, { email: 'luca@example.com', send: false })).body.id;
    await view(mei);
    pass(1_000);
    await view(other);
    const told = await openedBy();
    expect(told.map(({ event }) => event.data['link'])).toEqual(['Mei', null]);
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`to_|luca|${mei}`));
  });

  it('names the reader of a share for some, who has a receipt, and no title of it', async () => {
    await wantEvents(ann.id, 'share.opened');
    const id = await hers.newShare({ title: 'For Rea', audience: 'people', readers: [rea.id] });
    await call('GET /s/{id}', { params: { id }, token: rea.token });
    await call('GET /api/share', { query: { id }, token: rea.token });
    const told = await openedBy();
    expect(told.map(({ event }) => event.data)).toEqual(
      told.map(() => expect.objectContaining({ readerId: rea.id })),
    );
    expect(told.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toContain('For Rea');
  });

  it.each([
    ['a password', { password: 'Abc123' }],
    ['its owner alone', { audience: 'private' }],
  ])('has no title of a share for %s', async (_, fields) => {
    await wantEvents(ann.id, '*');
    const id = await hers.newShare({ title: 'Top secret', ...fields });
    await hers.end(id);
    const told = await toldEvents();
    expect(told).toMatchObject([
      { event: { type: 'share.ended', data: { share: { title: null } } } },
    ]);
  });
});

describe('without a webhook that wants it', () => {
  it('a view costs what it did', async () => {
    const id = await hers.newShare({ viewLimit: 9 });
    await view(id);
    const cost = async () => {
      const { result: _, ...cost } = await meter.measure(() => view(id));
      return cost;
    };
    const before = await cost();
    await wantEvents(ann.id, 'share.ended', 'message.received');
    expect(await cost()).toEqual(before);
    await wantEvents(ann.id, 'share.opened');
    const wanted = await cost();
    expect(wanted.requests).toEqual({ ...before.requests, queue: before.requests.queue + 1 });
    expect([wanted.readUnits, wanted.writeUnits, wanted.trips]).toEqual([
      before.readUnits,
      before.writeUnits,
      before.trips,
    ]);
  });
});
