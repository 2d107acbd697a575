import { describe, expect, it } from 'vitest';
import {
  attend,
  attendOne,
  cancel,
  cancelOccurrence,
  change,
  fourMondays,
  halfHour,
  inWindow,
  look,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { expand, newFeed, textOf } from '../../support/calendar/feed.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

const { ann, bob, cid } = useNewPeople({
  ann: () => newPlanner('Ann Planner'),
  bob: () => newGuest('Bob Guest'),
  cid: () => newGuest('Cid Guest'),
});

const dayMs = 24 * 3_600_000;

/** The Mondays of the series, as occurrences are identified. */
const mondays = ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14'].map(
  (day) => `${day}T08:00:00.000Z`,
);
const [first = '', second = '', third = ''] = mondays;

const makeSeries = async (body: object = {}): Promise<number> =>
  (await made(ann, { ...fourMondays, attendees: [bob.id, cid.id], ...body })).id;

/** Returns what someone sees of a guest's answers to the Mondays, in their order. */
const answersOf = async (viewer: Person, guest: Person): Promise<string[]> => {
  const { items } = await inWindow(viewer, '2026-11-23', '2026-12-31');
  return items.map(
    ({ attendees }: { attendees: { id: number; status: string }[] }) =>
      attendees.find(({ id }) => id === guest.id)?.status,
  );
};

/** Returns titles and texts of what someone was told, the oldest first. */
const told = async ({ id }: Person): Promise<unknown[][]> => {
  await minuteLater();
  return (await itemsOf(`USER#${id}`))
    .filter(({ sk }) => String(sk).startsWith('NOTIFICATION#'))
    .map(({ title, content }) => [title, content]);
};

describe('an answer to one occurrence', () => {
  it('is seen by all for that occurrence only', async () => {
    const id = await makeSeries();
    await attend(bob, id, 'accepted');
    // Any notation of its start identifies it, as in other requests.
    const { status, body, headers } = await attendOne(bob, id, '2026-11-30', 'declined');
    expect([status, body.message]).toEqual([200, 'Response saved']);
    const answers = [{ userId: bob.id, occurrenceStart: second, status: 'declined' }];
    expect(body.data).toMatchObject({ id, start: first, occurrenceStart: null, answers });
    expect(headers['etag']).toMatch(/^"3-/);
    for (const viewer of [ann, bob, cid]) {
      expect(await answersOf(viewer, bob)).toEqual([
        ...['accepted', 'declined', 'accepted', 'accepted'],
      ]);
      expect(await answersOf(viewer, cid)).toEqual(Array(4).fill('pending'));
      expect((await look(viewer, id)).body.data.answers).toEqual(answers);
    }
    const { items } = await inWindow(ann, '2026-11-23', '2026-12-31');
    expect(items[1].attendees[0]).toEqual({
      ...{ id: bob.id, name: 'Bob Guest', avatar: null, status: 'declined' },
    });
    const entries = await entriesAbout(`event:${id}`);
    const bobs = { id: bob.id, name: 'Bob Guest' };
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'event.respond',
        actorId: bob.id,
        after: {
          attendees: [
            { ...bobs, status: 'accepted', answers: { [second]: 'declined' } },
            { id: cid.id, name: 'Cid Guest', status: 'pending' },
          ],
        },
      }),
    );
    // Answers of others are in no entry.
    await attend(cid, id, 'accepted');
    const [latest] = (await entriesAbout(`event:${id}`)).filter(
      ({ actorId }) => actorId === cid.id,
    );
    expect(latest?.after).toEqual({
      attendees: [
        { ...bobs, status: 'accepted' },
        { id: cid.id, name: 'Cid Guest', status: 'accepted' },
      ],
    });
  });

  it('stops being an exception if it equals the answer to all, which replaces all of them', async () => {
    const id = await makeSeries();
    await attendOne(bob, id, first, 'accepted');
    await attendOne(bob, id, second, 'declined');
    expect(await answersOf(ann, bob)).toEqual(['accepted', 'declined', 'pending', 'pending']);
    const again = await attendOne(bob, id, second, 'declined');
    expect(again.body.data.version).toBe(3);
    await attend(bob, id, 'declined');
    const [stored] = await itemsOf(`EVENT#${id}`);
    expect(stored?.['attendees']).toContainEqual({
      ...{ id: bob.id, name: 'Bob Guest', status: 'declined' },
    });
    await attendOne(bob, id, third, 'accepted');
    await attendOne(bob, id, third, 'declined');
    expect((await look(ann, id)).body.data.answers).toEqual([]);
    await attendOne(bob, id, third, 'tentative');
    const all = await attend(bob, id, 'declined');
    expect(all.body.data).toMatchObject({ version: 8, answers: [] });
  });

  it('is refused for what is no occurrence', async () => {
    const id = await makeSeries();
    const { id: single } = await made(ann, { attendees: [bob.id] });
    await cancelOccurrence(ann, id, second);
    for (const [event, start] of [
      [id, '2026-11-24'],
      [id, second],
      [id, 'soon'],
      [single, '2026-11-23'],
    ] as const) {
      const { status, body } = await attendOne(bob, event, start, 'accepted');
      expect([status, body.error.details]).toEqual([
        400,
        [
          {
            field: 'occurrenceStart',
            message: 'matches no occurrence of the event; list the events again',
          },
        ],
      ]);
    }
    expect((await attendOne(ann, id, first, 'accepted')).status).toBe(404);
    expect((await attendOne(bob, id, null, 'accepted')).status).toBe(200);
  });

  it('is told to the owner with its time, unless it is over', async () => {
    const id = await makeSeries({ title: 'Standup' });
    const days = await made(ann, {
      title: 'Fair',
      start: '2026-11-23',
      rrule: 'FREQ=WEEKLY',
      attendees: [bob.id],
    });
    await attendOne(bob, id, second, 'declined');
    await attendOne(bob, days.id, '2026-11-30', 'tentative');
    pass(3 * dayMs);
    await signInAgain(cid);
    await attendOne(cid, id, first, 'accepted');
    // In the time zone of the event, as the owner has none.
    expect((await told(ann)).toSorted()).toEqual([
      [
        'Invitation declined',
        expect.stringMatching(/^“Standup”: Monday,? 30 November 2026 at 09:00 \(Europe\/Berlin\)$/),
      ],
      ['Invitation tentatively accepted', expect.stringMatching(/^“Fair”: Monday,? 30 Nov/)],
    ]);
  });

  it('is saved with concurrent ones of others, and of the same attendee', async () => {
    const id = await makeSeries();
    const responses = await Promise.all([
      ...mondays.map((start) => attendOne(bob, id, start, 'accepted')),
      ...mondays.map((start) => attendOne(cid, id, start, 'declined')),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await answersOf(ann, bob)).toEqual(Array(4).fill('accepted'));
    expect(await answersOf(ann, cid)).toEqual(Array(4).fill('declined'));
  });

  it('never outlives a concurrent move of the series', async () => {
    for (let round = 0; round < 4; round++) {
      const id = await makeSeries();
      const [moved, response] = await Promise.all([
        change(ann, id, { rrule: 'FREQ=WEEKLY;COUNT=1' }),
        attendOne(bob, id, second, 'accepted'),
      ]);
      expect(moved.status).toBe(200);
      // Saved before the move, which resets it, or refused after it.
      expect([200, 400]).toContain(response.status);
      expect((await look(ann, id)).body.data.answers).toEqual([]);
      await cancel(ann, id);
    }
  });

  it('can differ for 50 occurrences, of which past ones make room', async () => {
    const { id } = await made(ann, {
      ...halfHour('2027-01-01'),
      rrule: 'FREQ=DAILY',
      attendees: [bob.id],
    });
    const dayAt = (at: number) => new Date(Date.UTC(2027, 0, 1 + at, 9)).toISOString();
    for (let at = 0; at < 50; at++) {
      expect((await attendOne(bob, id, dayAt(at), 'declined')).status).toBe(200);
    }
    const { status, body } = await attendOne(bob, id, dayAt(50), 'declined');
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'CONFLICT',
      'You can answer up to 50 occurrences differently from the others. Answer for all of them instead.',
    ]);
    expect((await attendOne(bob, id, dayAt(49), 'tentative')).status).toBe(200);
    pass(Date.parse('2027-01-01T12:00:00Z') - Date.now());
    await signInAgain(bob);
    const { data } = (await attendOne(bob, id, dayAt(50), 'declined')).body;
    const starts = data.answers.map(
      ({ occurrenceStart }: { occurrenceStart: string }) => occurrenceStart,
    );
    expect([starts.length, starts[0], starts.at(-1)]).toEqual([50, dayAt(1), dayAt(50)]);
  });
});

describe('answers to single occurrences', () => {
  it('stay when texts or people change, and can be sent back as they are', async () => {
    const id = await makeSeries();
    await attend(bob, id, 'accepted');
    await attendOne(bob, id, second, 'declined');
    await updateOccurrence(ann, id, second, { location: 'Room 2' });
    await change(ann, id, { title: 'Renamed', attendees: [bob.id] });
    expect(await answersOf(ann, bob)).toEqual(['accepted', 'declined', 'accepted', 'accepted']);
    const { data } = (await look(ann, id)).body;
    expect((await change(ann, id, data)).status).toBe(200);
    const { items } = await inWindow(ann, '2026-11-23', '2026-12-31');
    expect((await change(ann, id, { ...items[1], title: 'This one' })).status).toBe(200);
    const refused = await change(ann, id, { answers: [] });
    expect(refused.body.error.details).toEqual([
      {
        field: 'answers',
        message: 'can only be changed by the attendee, at PUT /api/calendar/events/{id}/attendance',
      },
    ]);
    await change(ann, id, { attendees: [] });
    await change(ann, id, { attendees: [bob.id] });
    expect(await answersOf(ann, bob)).toEqual(Array(4).fill('pending'));
  });

  it('are asked for again when the occurrence or the series moves', async () => {
    const id = await makeSeries();
    await attend(bob, id, 'accepted');
    await attendOne(bob, id, second, 'declined');
    await attendOne(bob, id, third, 'tentative');
    await updateOccurrence(ann, id, second, { start: '2026-12-01T08:00:00Z' });
    // Only who answered to it is asked again.
    expect(await answersOf(ann, bob)).toEqual(['accepted', 'pending', 'tentative', 'accepted']);
    await change(ann, id, {
      start: '2026-11-24T09:00',
      end: '2026-11-24T10:00',
      rrule: 'FREQ=WEEKLY;COUNT=4',
    });
    expect(await answersOf(ann, bob)).toEqual(Array(4).fill('pending'));
    expect((await look(ann, id)).body.data.answers).toEqual([]);
  });

  it('are gone with a canceled occurrence, and back with it', async () => {
    const id = await makeSeries();
    await attendOne(bob, id, second, 'declined');
    await cancelOccurrence(ann, id, second);
    expect((await look(ann, id)).body.data.answers).toEqual([]);
    await change(ann, id, { exdates: [] });
    expect(await answersOf(ann, bob)).toEqual(['pending', 'declined', 'pending', 'pending']);
  });

  it('are in the feed: declined ones are left out, others have their status', async () => {
    const window = ['2026-11-01T00:00:00.000Z', '2027-01-15T00:00:00.000Z'] as const;
    const id = await makeSeries();
    await attend(bob, id, 'accepted');
    await attendOne(bob, id, first, 'declined');
    await updateOccurrence(ann, id, second, { title: 'Other' });
    await attendOne(bob, id, second, 'tentative');
    await attendOne(bob, id, third, 'tentative');
    await attend(cid, id, 'declined');
    await attendOne(cid, id, second, 'accepted');
    const [bobs, cids] = [await textOf(await newFeed(bob)), await textOf(await newFeed(cid))];
    const startsOf = (text: string) => expand(text, ...window).map(({ start }) => start);
    expect(startsOf(bobs)).toEqual(mondays.slice(1));
    expect(bobs.match(/STATUS:\w+/g)).toEqual([
      ...['STATUS:CONFIRMED', 'STATUS:TENTATIVE', 'STATUS:TENTATIVE'],
    ]);
    expect(cids.match(/STATUS:\w+/g)).toEqual(['STATUS:CONFIRMED']);
    expect(cids).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20261130T090000');
    expect(cids).not.toContain('RRULE:FREQ=WEEKLY');
  });
});
