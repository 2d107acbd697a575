import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { section } from '../../../functions/api/calendar/archive.ts';
import {
  attend,
  cancelOccurrence,
  fourMondays,
  look,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { readSection } from '../../support/exports/archive.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useTable } from '../../support/table/table.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const { ann, guest } = useNewPeople({ ann: newPlanner, guest: newGuest });

describe('the calendar of an archive', () => {
  it('has all events as the API shows them', async () => {
    const old = await made(ann, { title: 'Old', start: '1999-01-01', end: null, color: 'teal' });
    const series = await made(ann, { ...fourMondays, title: 'Series', attendees: [guest.id] });
    await updateOccurrence(ann, series.id, '2026-11-30', { title: 'Moved' });
    await cancelOccurrence(ann, series.id, '2026-12-07');
    const { json } = await readSection(section, ann);
    const shown = [];
    for (const { id } of [old, series]) {
      const { seriesId, occurrenceStart, recurrenceId, attendees, ...event } = (await look(ann, id))
        .body.data;
      const people = attendees.map(({ avatar, ...one }: { avatar: unknown }) => one);
      shown.push({ ...event, attendees: people });
    }
    expect(json('calendar.json')).toEqual(shown);
  });

  it('is iCalendar with what apps get, whenever it is', async () => {
    await made(ann, {
      title: 'Old',
      start: '1999-01-01T09:00',
      end: null,
      timezone: 'Europe/Berlin',
    });
    await made(ann, { ...fourMondays, title: 'Series' });
    const declined = await made(ann, { title: 'No', attendees: [guest.id] });
    await attend(guest, declined.id, 'declined');
    const parse = async (person: { readonly id: number }) => {
      const text = (await readSection(section, person)).text('calendar.ics');
      const calendar = new ICAL.Component(ICAL.parse(text));
      return {
        zones: calendar
          .getAllSubcomponents('vtimezone')
          .map((zone) => zone.getFirstPropertyValue('tzid')),
        events: calendar
          .getAllSubcomponents('vevent')
          .map((one) => one.getFirstPropertyValue('summary')),
      };
    };
    const own = await parse(ann);
    expect(own.events.toSorted()).toEqual(['No', 'Old', 'Series']);
    expect(own.zones).toContain('Europe/Berlin');
    expect((await parse(guest)).events).toEqual([]);
    const invited = (await readSection(section, guest)).json('calendar.json');
    expect(invited).toMatchObject([{ title: 'No', owner: 'Pia Planner', owner_id: ann.id }]);
  });
});
