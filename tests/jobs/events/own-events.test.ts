import { describe, expect, it } from 'vitest';
import { made as newDocument, share as shareDocument } from '../../support/documents/documents.ts';
import { toldEvents, toldOnce, useEvents, wantEvents } from '../../support/events/events.ts';
import { newWriter, sent } from '../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { handIn, intakeOf, reportRequest } from '../../support/shares/intake.ts';
import { endAsReader, sharesOf } from '../../support/shares/requests.ts';
import { view } from '../../support/shares/shares.ts';
import { useMeter } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf, writing } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();
useEvents();
const meter = useMeter();

const { ann, moderator } = useNewPeople({ ann: newPerson, moderator: 'super_admin' });
const hers = sharesOf(ann);
const moderated = sharesOf(moderator);

const now = () => new Date().toISOString();

const origin = process.env['PUBLIC_URL'] ?? '';
const eventId = expect.stringMatching(/^evt_[\w-]{22}$/);

/** Lets time pass until the content of what has ended is deleted. */
const purge = async () => {
  for (let minutes = 0; minutes < 3; minutes++) await minuteLater();
};

const endOf = (id: string, by: string, how = 'ended', views = 0) => ({
  share: { id, url: `${origin}/s/${id}`, title: 'Offer' },
  ...{ by, how, views },
});

describe('share.ended', () => {
  const endings: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    owner: (id) => hers.end(id),
    moderator: (id) => moderated.end(id),
    reader: (id) => endAsReader(id),
  };

  it.each(Object.keys(endings))('is told at once and once of an end by the %s', async (by) => {
    await wantEvents(ann.id, '*');
    const id = await hers.newShare({ title: 'Offer', readersCanEnd: true });
    await endings[by]?.(id);
    const told = {
      userId: ann.id,
      event: {
        id: eventId,
        type: 'share.ended',
        timestamp: new Date().toISOString(),
        data: endOf(id, by),
      },
    };
    expect(await toldEvents()).toEqual([told]);
    await purge();
    expect(await toldEvents()).toEqual([told]);
    await hers.remove(id);
    expect(await toldEvents()).toEqual([told]);
  });

  it('is told once of the last view, with that view', async () => {
    await wantEvents(ann.id, '*');
    const id = await hers.newShare({ title: 'Offer', viewLimit: 2 });
    await Promise.all([view(id), view(id), view(id)]);
    const types = async () => (await toldOnce()).map(({ event }) => event.type).sort();
    expect(await types()).toEqual(['share.ended', 'share.opened', 'share.opened']);
    await purge();
    expect(await types()).toEqual(['share.ended', 'share.opened', 'share.opened']);
    const ended = (await toldEvents()).filter(({ event }) => event.type === 'share.ended');
    expect(ended.map(({ event }) => event.data)).toEqual(
      ended.map(() => endOf(id, 'views', 'ended', 2)),
    );
    expect(new Set(ended.map(({ event }) => event.id)).size).toBe(1);
  });

  it('is told of the last view for certain, also if the queue took nothing then', async () => {
    const id = await hers.newShare({ title: 'Offer', viewLimit: 1 });
    await view(id);
    // As if the process had died right after the view.
    await wantEvents(ann.id, 'share.ended');
    await purge();
    expect(await toldEvents()).toMatchObject([{ event: { data: endOf(id, 'views', 'ended', 1) } }]);
  });

  it('is told of its expiration when its content is deleted, with the time of the end', async () => {
    await wantEvents(ann.id, 'share.ended');
    const id = await hers.newShare({ title: 'Offer', expiresIn: 60 });
    const timestamp = new Date(Date.now() + 60_000).toISOString();
    await purge();
    await purge();
    expect(await toldEvents()).toMatchObject([{ event: { timestamp, data: endOf(id, 'time') } }]);
  });

  it('is told of one that has expired and is deleted before its content', async () => {
    await wantEvents(ann.id, 'share.ended');
    const id = await hers.newShare({ title: 'Offer', expiresIn: 60 });
    pass(61_000);
    await hers.remove(id);
    expect(await toldEvents()).toMatchObject([{ event: { data: endOf(id, 'time') } }]);
  });

  it('is told of a takedown once, and of the end after it was restored', async () => {
    await wantEvents(ann.id, 'share.ended');
    const id = await hers.newShare({ title: 'Offer', expiresIn: 600 });
    await moderated.decide(id, 'take-down');
    await moderated.decide(id, 'take-down');
    expect(await toldEvents()).toMatchObject([
      { event: { data: endOf(id, 'moderator', 'taken-down') } },
    ]);
    await moderated.decide(id, 'keep');
    pass(600_000);
    await purge();
    expect((await toldEvents()).map(({ event }) => event.data['by'])).toEqual([
      'moderator',
      'time',
    ]);
  });

  it.each(['owner', 'moderator'])('is told of an open share that its %s deletes', async (by) => {
    await wantEvents(ann.id, 'share.ended');
    const id = await hers.newShare({ title: 'Offer' });
    // A moderator who may delete is the owner of the account's own shares only: both go the same way.
    await (by === 'owner' ? hers : moderated).remove(id);
    expect(await toldEvents()).toMatchObject([{ event: { data: endOf(id, by, 'deleted') } }]);
  });

  it('is told of each end of a share that was reopened', async () => {
    await wantEvents(ann.id, 'share.ended');
    const id = await hers.newShare({ title: 'Offer' });
    await hers.end(id);
    pass(1_000);
    expect((await hers.reopen(id)).status).toBe(200);
    pass(1_000);
    await hers.end(id);
    expect(await toldOnce()).toHaveLength(2);
  });

  it('is not told of what is refused', async () => {
    await wantEvents(ann.id, '*');
    const id = await hers.newShare({ title: 'Offer' });
    await hers.end(id);
    expect((await hers.end(id)).status).toBe(410);
    expect((await endAsReader(id)).status).not.toBe(303);
    expect(await toldEvents()).toHaveLength(1);
  });

  it('costs nothing more without a webhook, and one write with one', async () => {
    const cost = async () => {
      const id = await hers.newShare();
      const { writeUnits, readUnits, trips } = await meter.measure(() => hers.end(id));
      return { writeUnits, readUnits, trips };
    };
    await cost();
    const before = await cost();
    await wantEvents(ann.id, 'share.opened');
    expect(await cost()).toEqual(before);
    await wantEvents(ann.id, 'share.ended');
    // A write in a transaction takes two units.
    expect(await cost()).toEqual({ ...before, writeUnits: before.writeUnits + 2 });
    await toldEvents();
  });
});

describe('share.submitted', () => {
  it('is told once of what was handed in, without what and by whom', async () => {
    await wantEvents(ann.id, 'share.submitted');
    const at = now();
    const request = await intakeOf(ann).newRequest({ title: 'Logs' });
    await handIn(request, { name: 'mei@example.com' });
    const [only, ...others] = await toldEvents();
    expect(others).toEqual([]);
    const [share] = (await hers.list()).body.items;
    expect(only).toEqual({
      userId: ann.id,
      event: {
        id: eventId,
        type: 'share.submitted',
        timestamp: at,
        data: {
          share: { id: share.id, url: `${origin}/s/${share.id}`, title: null },
          request: { id: request },
        },
      },
    });
  });
});

describe('share.reported', () => {
  it('is told to moderators once for all reports that wait, and never to the owner', async () => {
    await wantEvents(ann.id, '*');
    await wantEvents(moderator.id, 'share.reported');
    const at = now();
    const id = await hers.newShare({ title: 'Offer' });
    await hers.report(id);
    await hers.report(id);
    expect(await toldEvents()).toEqual([
      {
        userId: moderator.id,
        event: {
          id: eventId,
          type: 'share.reported',
          timestamp: at,
          data: {
            ...{ kind: 'share', id, reports: 2 },
            url: `${origin}/moderation?open=${id}`,
            reportedAt: at,
          },
        },
      },
    ]);
  });

  it('is told of share requests, too', async () => {
    await wantEvents(moderator.id, 'share.reported');
    const id = await intakeOf(ann).newRequest();
    await reportRequest(id);
    const told = await toldEvents();
    expect(told.filter(({ userId }) => userId === moderator.id)).toMatchObject([
      {
        userId: moderator.id,
        event: {
          data: { kind: 'request', id, url: `${origin}/moderation?list=requests&open=${id}` },
        },
      },
    ]);
  });
});

describe('document.shared', () => {
  it('is told to the reader, without a title', async () => {
    const author = await newUserOf('user', {
      name: 'Ana Author',
      extraPermissions: writing('documents'),
    });
    const rea = await newPerson();
    for (const { id } of [author, rea]) await wantEvents(id, '*');
    const at = now();
    const id = await newDocument(author, { title: 'Salaries' });
    await shareDocument(author, id, [rea.id, ann.id]);
    expect(await toldEvents()).toEqual([
      {
        userId: rea.id,
        event: {
          id: eventId,
          type: 'document.shared',
          timestamp: at,
          data: {
            document: { id, url: `${origin}/documents/${id}` },
            by: { id: author.id, name: 'Ana Author' },
          },
        },
      },
    ]);
  });
});

describe('message.received', () => {
  it.each([1, 20])(
    'is told to each of %i recipients who wants it, without a subject',
    async (count) => {
      const writer = await newWriter('Will Writer');
      const wanting = [await newPerson(), await newPerson()].slice(0, count);
      const others = await Promise.all(
        Array.from({ length: count - wanting.length }, () => newPerson()),
      );
      for (const { id } of [writer, ...wanting]) await wantEvents(id, 'message.received');
      const at = now();
      const id = await sent(writer, [...wanting, ...others], {
        subject: 'Secret',
        content: 'Hush',
      });
      // Whoever looks first receives what is on its way.
      await call('GET /api/notifications', { token: wanting[0]?.token });
      const told = await toldEvents();
      expect(told.map(({ userId }) => userId).sort()).toEqual(wanting.map((one) => one.id).sort());
      for (const { event } of told) {
        expect(event).toEqual({
          id: eventId,
          type: 'message.received',
          timestamp: at,
          data: {
            message: {
              ...{ id, conversationId: id, attachments: 0 },
              url: `${origin}/messages?open=${id}`,
            },
            from: { id: writer.id, name: 'Will Writer' },
          },
        });
      }
    },
  );
});

describe('a suspended user', () => {
  it('is told nothing', async () => {
    await wantEvents(moderator.id, '*');
    await wantEvents(ann.id, '*');
    const id = await hers.newShare({ expiresIn: 60 });
    await call('PUT /api/users/{id}', {
      token: moderator.token,
      params: { id: String(ann.id) },
      body: { status: 'suspended' },
    });
    await purge();
    await purge();
    expect((await toldEvents()).filter(({ userId }) => userId === ann.id)).toEqual([]);
    expect((await itemsOf(`SHARE#${id}`)).length).toBeGreaterThan(0);
  });
});
