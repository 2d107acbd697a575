import { describe, expect, it } from 'vitest';
import {
  attend,
  cancelOccurrence,
  change,
  inWindow,
  look,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { answered, expand, newFeed, textOf } from '../../support/calendar/feed.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-10-01T12:00:00Z');

const { ann, bob } = useNewPeople({ ann: newPlanner, bob: newGuest });

/** Recurs on Mondays at nine in Berlin, where DST ends on 25 October. */
const weekly = {
  start: '2026-10-05T09:00',
  end: '2026-10-05T10:00',
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=WEEKLY;COUNT=8',
};

/** Creates a series with one renamed, one canceled, and one moved and extended occurrence. */
const newSeries = async (more: object = {}) => {
  const event = await made(ann, { ...weekly, ...more });
  await updateOccurrence(ann, event.id, '2026-10-19', { title: 'Special' });
  await cancelOccurrence(ann, event.id, '2026-11-02');
  const { body } = await updateOccurrence(ann, event.id, '2026-11-09', {
    start: '2026-11-10T14:00',
    end: '2026-11-10T16:00',
  });
  return body.data;
};

const plain = { title: null, location: null, status: null };

/** Returns the local starts and titles of the occurrences. */
const shown = async (person: Person, timeZone = 'Europe/Berlin') => {
  const { items } = await inWindow(person, '2026-09-01', '2027-03-01', { timezone: timeZone });
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone,
  });
  return items.map(({ start, title }: { start: string; title: string }) => {
    const at = start.includes('T') ? format.format(Date.parse(start)) : start;
    return title === 'An event' ? at : `${at} ${title}`;
  });
};

describe('PUT /api/calendar/events/{id} with a new time of a series', () => {
  it('moves its exceptions by local time', async () => {
    const { id } = await newSeries({ attendees: [bob.id] });
    await attend(bob, id, 'accepted');
    const { body } = await change(ann, id, {
      start: '2026-10-06T10:30',
      end: '2026-10-06T11:30',
    });
    expect(body).toMatchObject({
      message: 'Saved',
      data: {
        start: '2026-10-06T08:30:00.000Z',
        exdates: ['2026-11-03T09:30:00.000Z'],
        overrides: [
          {
            ...plain,
            recurrenceId: '2026-10-20T08:30:00.000Z',
            start: '2026-10-20T08:30:00.000Z',
            end: '2026-10-20T09:30:00.000Z',
            title: 'Special',
          },
          {
            ...plain,
            recurrenceId: '2026-11-10T09:30:00.000Z',
            start: '2026-11-11T14:30:00.000Z',
            end: '2026-11-11T16:30:00.000Z',
          },
        ],
        attendees: [{ id: bob.id, status: 'pending' }],
      },
    });
    const expected = [
      '2026-10-06 10:30',
      '2026-10-13 10:30',
      '2026-10-20 10:30 Special',
      '2026-10-27 10:30',
      '2026-11-11 15:30',
      '2026-11-17 10:30',
      '2026-11-24 10:30',
    ];
    expect(await shown(ann)).toEqual(expected);
    expect(await shown(bob)).toEqual(expected);
    const entries = await entriesAbout(`event:${id}`);
    expect(entries.find(({ action }) => action === 'event.update')).toMatchObject({
      before: { exdates: ['2026-11-02T08:00:00.000Z'] },
      after: { exdates: ['2026-11-03T09:30:00.000Z'] },
    });
  });

  it('changes the duration of exceptions that had the default one', async () => {
    const { id } = await newSeries();
    const { body } = await change(ann, id, { end: '2026-10-05T09:15' });
    expect(body.data.overrides).toMatchObject([
      { start: '2026-10-19T07:00:00.000Z', end: '2026-10-19T07:15:00.000Z' },
      { start: '2026-11-10T13:00:00.000Z', end: '2026-11-10T15:00:00.000Z' },
    ]);
    expect(body.data.exdates).toEqual(['2026-11-02T08:00:00.000Z']);
  });

  it('accepts the full record with another start', async () => {
    const event = await newSeries();
    const { body } = await change(ann, event.id, {
      ...event,
      start: '2026-10-05T08:00:00Z',
      end: '2026-10-05T09:00:00Z',
    });
    expect(body.data.exdates).toEqual(['2026-11-02T09:00:00.000Z']);
  });

  it('reads new exdates as starts of the moved series', async () => {
    const { id } = await newSeries();
    const { body } = await change(ann, id, {
      start: '2026-10-05T10:00',
      end: '2026-10-05T11:00',
      exdates: ['2026-10-12', '2026-11-02T08:00:00Z'],
    });
    expect(body).toMatchObject({
      message: 'Saved',
      data: { exdates: ['2026-10-12T08:00:00.000Z'], overrides: [{}, {}] },
    });
  });

  it('keeps the local times in another time zone', async () => {
    const { id } = await newSeries();
    const times = { start: '2026-10-05T09:00', end: '2026-10-05T10:00' };
    await change(ann, id, { ...times, timezone: 'America/New_York' });
    const expected = [
      '2026-10-05 09:00',
      '2026-10-12 09:00',
      '2026-10-19 09:00 Special',
      '2026-10-26 09:00',
      '2026-11-10 14:00',
      '2026-11-16 09:00',
      '2026-11-23 09:00',
    ];
    expect(await shown(ann, 'America/New_York')).toEqual(expected);
    // The instants stay the same in the other time zone.
    const { body } = await change(ann, id, { timezone: 'Asia/Tokyo' });
    expect(body.data).toMatchObject({
      start: '2026-10-05T13:00:00.000Z',
      exdates: ['2026-11-02T13:00:00.000Z'],
    });
  });

  it('keeps the dates of exceptions when the event becomes all-day, and back', async () => {
    const { id } = await newSeries();
    const allDay = await change(ann, id, { allDay: true });
    expect(allDay.body.data).toMatchObject({
      start: '2026-10-05',
      exdates: ['2026-11-02'],
      overrides: [
        { recurrenceId: '2026-10-19', start: '2026-10-19', end: '2026-10-20', title: 'Special' },
        { recurrenceId: '2026-11-09', start: '2026-11-10', end: '2026-11-11' },
      ],
    });
    const times = { start: '2026-10-06T09:00', end: '2026-10-06T10:00' };
    const timed = await change(ann, id, { ...times, allDay: false });
    expect(timed.body.data).toMatchObject({
      exdates: ['2026-11-03T08:00:00.000Z'],
      overrides: [
        { start: '2026-10-20T07:00:00.000Z', end: '2026-10-20T08:00:00.000Z', title: 'Special' },
        { start: '2026-11-11T08:00:00.000Z', end: '2026-11-11T09:00:00.000Z' },
      ],
    });
  });

  it.each([
    ['another weekday', { rrule: 'FREQ=WEEKLY;BYDAY=TU' }, '1 canceled and 2 modified occurrences'],
    ['a lower COUNT', { rrule: 'FREQ=WEEKLY;COUNT=5' }, '1 modified occurrence'],
    [
      'an earlier UNTIL',
      { rrule: 'FREQ=WEEKLY;UNTIL=20261020' },
      '1 canceled and 1 modified occurrences',
    ],
    ['removing the rule', { rrule: null }, '1 canceled and 2 modified occurrences'],
    ['a rule without an end', { rrule: 'FREQ=WEEKLY' }, undefined],
  ])('reports how many exceptions are removed by %s', async (_, body, gone) => {
    const { id } = await newSeries();
    const response = await change(ann, id, body);
    const rest = gone?.startsWith('1 modified')
      ? 'no longer exists and was removed'
      : 'no longer exist and were removed';
    expect([response.status, response.body.message]).toEqual([
      200,
      gone === undefined ? 'Saved' : `Event updated. ${gone} ${rest}.`,
    ]);
    expect((await look(ann, id)).body.data).toEqual(response.body.data);
  });

  it('keeps the days of exceptions that the rule fixes', async () => {
    const { id } = await newSeries({ rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=8' });
    // The rule excludes Tuesdays, so the series starts on the next Monday.
    const { body } = await change(ann, id, {
      start: '2026-10-06T10:00',
      end: '2026-10-06T11:00',
    });
    expect(body).toMatchObject({
      message: 'Saved',
      data: {
        start: '2026-10-12T08:00:00.000Z',
        exdates: ['2026-11-02T09:00:00.000Z'],
        overrides: [{ title: 'Special' }, { start: '2026-11-10T14:00:00.000Z' }],
      },
    });
  });

  it('removes exceptions whose new time is in a DST gap', async () => {
    const event = { start: '2027-03-26T09:00', end: '2027-03-26T09:30', timezone: 'Europe/Berlin' };
    const { id } = await made(ann, { ...event, rrule: 'FREQ=DAILY' });
    await cancelOccurrence(ann, id, '2027-03-28');
    await updateOccurrence(ann, id, '2027-03-30', { start: '2027-03-28T09:00' });
    const { body } = await change(ann, id, {
      start: '2027-03-26T02:30',
      end: '2027-03-26T03:00',
    });
    expect(body).toMatchObject({
      message: 'Event updated. 1 canceled occurrence no longer exists and was removed.',
      // 02:30 is in the DST gap of that day and moves to 03:30.
      data: { exdates: [], overrides: [{ start: '2027-03-28T01:30:00.000Z' }] },
    });
  });

  it('moves the series in the feed, the open tasks and the events of the day', async () => {
    const feed = await newFeed(ann);
    const { id } = await newSeries({ type: 'task' });
    await updateOccurrence(ann, id, '2026-10-05', { status: 'done' });
    await change(ann, id, { start: '2026-09-30T10:30', end: '2026-09-30T11:30' });
    const window = ['2026-09-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z'] as const;
    const text = await textOf(feed);
    expect(expand(text, ...window)).toEqual(await answered(ann, ...window));
    expect(text).toContain('EXDATE;TZID=Europe/Berlin:20261028T103000\r\n');
    for (const by of ['20260930T103000', '20261014T103000', '20261104T103000']) {
      expect(text).toContain(`RECURRENCE-ID;TZID=Europe/Berlin:${by}\r\n`);
    }
    const dashboard = async (name: string) =>
      (await call(`GET /api/dashboard/${name}`, { token: ann.token })).body.data;
    expect(await dashboard('tasks')).toMatchObject([{ id, dueDate: '2026-10-07T09:30:00.000Z' }]);
    await change(ann, id, { start: '2026-10-01T10:30', end: '2026-10-01T11:30' });
    expect(await dashboard('calendar')).toMatchObject([
      { id, start: '2026-10-01T08:30:00.000Z', status: 'done' },
    ]);
  });
});
