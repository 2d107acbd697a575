// Events from the first key to the answer of a guest. The routes are in `api/calendar/`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { pressMenuItem } from '../../support/pages/menus.ts';
import { choose } from '../../support/pages/series-question.ts';
import {
  ann,
  at,
  bob,
  button,
  drawer,
  facts,
  field,
  guests,
  start,
  weekly,
} from '../flows/events.ts';

describe.skipIf(!hasBrowser)('events in a browser', () => {
  it('are created by keyboard, with a rule, a guest and a reminder', async () => {
    const { open, api } = await start();
    const { page, complaints } = await open(ann, '/calendar?new=event');
    await expect.poll(() => field(page, 'Title').evaluate((it) => it.matches(':focus'))).toBe(true);
    // Without a title, nothing is sent.
    await page.keyboard.press('Enter');
    await drawer(page).getByText('Title is required.').waitFor();
    await page.keyboard.type('Proofs');
    await field(page, 'Type').selectOption('task');
    await field(page, 'Priority').selectOption('high');
    await field(page, 'Starts').fill('2027-02-01');
    await field(page, 'Start time').fill('09:00');
    // The end follows the start, and stays an hour later.
    await expect.poll(() => field(page, 'Ends').inputValue()).toBe('2027-02-01');
    await expect.poll(() => field(page, 'End time').inputValue()).toBe('10:00');
    await field(page, 'End time').fill('08:00');
    await page.keyboard.press('Enter');
    await drawer(page).getByText('It must not end before it starts.').waitFor();
    await field(page, 'End time').fill('09:45');
    await button(page, 'Repeat').press('Enter');
    const editor = page.locator('.rule-editor');
    await editor.getByLabel('Repeats').selectOption('WEEKLY');
    await editor.getByLabel('Every how many weeks').fill('2');
    await editor.getByRole('button', { name: 'Thu' }).press('Space');
    await editor.getByLabel('Ends', { exact: true }).selectOption('until');
    await editor.getByLabel('Last day').fill('2027-03-03');
    await drawer(page)
      .getByText('Every 2 weeks on Monday and Thursday until March 3, 2027')
      .waitFor();
    // Enter picks guests: it doesn’t create the event yet, without them.
    await field(page, 'People').focus();
    for (const name of ['Bob', 'Cem']) {
      await page.keyboard.type(name.toLowerCase());
      await page.getByRole('option', { name: `${name.toLowerCase()}@example.com` }).waitFor();
      await page.keyboard.press('Enter');
      await button(page, `Remove ${name}`).waitFor();
    }
    for (const minutes of ['15', '30']) {
      await page.getByLabel('Add a reminder').selectOption(minutes);
    }
    await button(page, 'Remove 30 minutes before').press('Enter');
    await expect
      .poll(() => page.evaluate('document.activeElement.ariaLabel'))
      .toBe('Remove 15 minutes before');
    await page.getByRole('radio', { name: 'Teal' }).check();
    await button(page, 'Create event').press('Enter');
    await page.getByText('Event created').waitFor();
    await expect.poll(() => drawer(page).count()).toBe(0);
    const { data } = await api('GET', '/api/calendar/events?start=2027-02-01&end=2027-03-31');
    expect(data.items.map((event: { start: string }) => event.start.slice(0, 10))).toEqual([
      ...['2027-02-01', '2027-02-04', '2027-02-15', '2027-02-18', '2027-03-01'],
    ]);
    expect(data.items[0]).toMatchObject({
      title: 'Proofs',
      type: 'task',
      priority: 'high',
      start: '2027-02-01T08:00:00.000Z',
      end: '2027-02-01T08:45:00.000Z',
      timezone: 'Europe/Berlin',
      color: 'teal',
      reminders: [15],
      attendees: [
        { name: 'Bob', status: 'pending' },
        { name: 'Cem', status: 'pending' },
      ],
    });
    expect(complaints).toEqual([]);
  });

  it('are shared by two people in two browsers: invitation and answer', async () => {
    const { open, create, ids } = await start();
    const event = await create({ ...weekly, attendees: [ids.bob], location: 'Room 2' });
    const a = await open(ann, `/calendar?open=${event.id}&start=${at('02-09')}`);
    const b = await open(bob, `/calendar?open=${event.id}`);
    // Both read when it is in their time zone, and Bob where it differs.
    await facts(a.page).getByText('Tuesday, February 9, 2027').waitFor();
    // A link shows the event in the calendar, too.
    await expect.poll(() => a.page.locator('.cal-tools h2').innerText()).toBe('February 2027');
    await expect.poll(() => a.page.locator('#calendar .ev').count()).toBe(6);
    await expect.poll(() => facts(a.page).innerText()).not.toContain('time zone');
    await expect.poll(() => guests(a.page)).toEqual(['A\nAnn\nOrganizer', 'B\nBob\nNo answer']);
    await facts(b.page).getByText('5:30 – 6:30 AM in New York, your time zone').waitFor();
    await facts(b.page).getByText('11:30 AM – 12:30 PM in Berlin, the event’s time zone').waitFor();
    await expect.poll(() => guests(b.page)).toEqual(['A\nAnn\nOrganizer', 'B\nBob\nNo answer']);
    await expect.poll(() => button(b.page, 'Edit').count()).toBe(0);

    // An answer that is refused is put back.
    await b.page.route('**/attendance', (route) => route.fulfill({ status: 403, body: '{}' }));
    await button(b.page, 'No').click();
    await b.page.getByText('Couldn’t save your answer.').waitFor();
    await expect.poll(() => guests(b.page)).toContain('B\nBob\nNo answer');
    await b.page.unroute('**/attendance');
    await b.page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();
    await button(b.page, 'Yes').press('Enter');
    await expect.poll(() => guests(b.page)).toContain('B\nBob\nGoing');
    await expect.poll(() => button(b.page, 'Yes').getAttribute('aria-pressed')).toBe('true');
    await a.page.reload();
    await facts(a.page).getByText('1 going').waitFor();
  });

  it('of a series change one by one or all, and come back after Undo', async () => {
    const { open, create, read } = await start();
    const { id } = await create(weekly);
    const { page } = await open(ann, `/calendar?open=${id}&start=${at('02-09')}`);
    await button(page, 'Edit').press('Enter');
    await choose(page, 'This event', 'Edit');
    await field(page, 'Place').fill('Room 7');
    await field(page, 'Start time').fill('14:00');
    // Esc asks before that is lost.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).last().press('Enter');
    await button(page, 'Save changes').press('Enter');
    await page.getByText('Event saved').waitFor();
    await facts(page).getByText('2:00 – 3:00 PM').waitFor();
    const changed = await read(id);
    expect(changed.overrides).toMatchObject([
      { recurrenceId: at('02-09'), start: '2027-02-09T13:00:00.000Z', location: 'Room 7' },
    ]);

    // All move a day later; the one that differs moves along.
    await button(page, 'Edit').click();
    await choose(page, 'All events', 'Edit');
    await field(page, 'Starts').fill('2027-02-03');
    await drawer(page).getByText('Every week on Wednesday, 6 times').waitFor();
    await button(page, 'Save changes').click();
    await page.getByText('Event saved').first().waitFor();
    await expect.poll(async () => (await read(id)).start).toBe(at('02-03'));
    await expect
      .poll(() => read(id))
      .toMatchObject({
        rrule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=6',
        overrides: [
          { recurrenceId: at('02-10'), start: '2027-02-10T13:00:00.000Z', location: 'Room 7' },
        ],
      });

    await page.goto(new URL(`/calendar?open=${id}&start=${at('02-10')}`, page.url()).href);
    await button(page, 'More actions').press('Enter');
    await pressMenuItem(page, 'Delete this event');
    await page.getByText('Event deleted').waitFor();
    await expect.poll(async () => (await read(id)).exdates).toEqual([at('02-10')]);
    await button(page, 'Undo').click();
    await page.getByText('Event restored').waitFor();
    await expect
      .poll(() => read(id))
      .toMatchObject({ exdates: [], overrides: [{ location: 'Room 7' }] });

    await page.goto(new URL(`/calendar?open=${id}`, page.url()).href);
    await facts(page).getByText('First event').waitFor();
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Delete all events' }).click();
    await page.getByRole('dialog', { name: 'Delete all events of “Print review”?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Event deleted').waitFor();
    await expect.poll(() => read(id)).toBeUndefined();
  });
});
