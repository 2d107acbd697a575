import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('events in a browser', () => {
  const ann = 'ann@example.com';
  const bob = 'bob@example.com';
  const drawer = (page: Page) => page.locator('dialog.drawer[open]');
  const facts = (page: Page) => page.getByRole('list', { name: 'Details' });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const field = (page: Page, name: string) => drawer(page).getByLabel(name, { exact: true });
  const guests = (page: Page) => facts(page).locator('.guests li').allInnerTexts();

  /** Starts a service with Ann, who finds people by name, and Bob, who finds them by address. */
  const start = async () => {
    const service = await startConsole(browser, [
      { name: 'Ann', permissions: ['calendar:*', 'users:view'], timezone: 'Europe/Berlin' },
      { name: 'Bob', permissions: ['calendar:*'], timezone: 'America/New_York' },
    ]);
    const { url, find, signIn } = service;
    const ids = { ann: (await find('ann')).id as number, bob: (await find('bob')).id as number };
    const token = await signIn(ann);
    const api = async (method: string, path: string, body?: unknown, by = token) =>
      (await send(url + path, { method, token: by, ...(body !== undefined && { body }) })).body;
    const create = async (body: object) => {
      const made = await api('POST', '/api/calendar/events', body);
      expect(made.success, JSON.stringify(made)).toBe(true);
      return made.data;
    };
    const read = async (id: number) => (await api('GET', `/api/calendar/events/${id}`)).data;
    return { ...service, ids, api, create, read };
  };

  const weekly = {
    title: 'Print review',
    start: '2027-02-02T11:30',
    end: '2027-02-02T12:30',
    timezone: 'Europe/Berlin',
    rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=6',
  };
  const at = (day: string) => `2027-${day}T10:30:00.000Z`;

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
    expect(await field(page, 'Ends').inputValue()).toBe('2027-02-01');
    expect(await field(page, 'End time').inputValue()).toBe('10:00');
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
    await inspect(page, 'calendar-event-new');
    await page.getByRole('searchbox', { name: 'Name or email' }).fill('bob');
    await button(page, 'Bob bob@example.com')
      .or(page.locator('.receivers li button'))
      .press('Enter');
    await button(page, 'Remove Bob').waitFor();
    await page.getByLabel('Add a reminder').selectOption('15');
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
      attendees: [{ name: 'Bob', status: 'pending' }],
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
    expect(await a.page.locator('.cal-tools h2').innerText()).toBe('February 2027');
    await expect.poll(() => a.page.locator('#calendar .ev').count()).toBe(6);
    expect(await facts(a.page).innerText()).not.toContain('time zone');
    expect(await guests(a.page)).toEqual(['A\nAnn\nOrganizer', 'B\nBob\nNo answer']);
    await facts(b.page).getByText('5:30 – 6:30 AM in New York, your time zone').waitFor();
    await facts(b.page).getByText('11:30 AM – 12:30 PM in Berlin, the event’s time zone').waitFor();
    expect(await guests(b.page)).toEqual(['A\nAnn\nOrganizer', 'B\nBob\nNo answer']);
    expect(await button(b.page, 'Edit').count()).toBe(0);
    await inspect(b.page, 'calendar-event-invited');

    // An answer that is refused is put back.
    await b.page.route('**/attendance', (route) => route.fulfill({ status: 403, body: '{}' }));
    await button(b.page, 'No').click();
    await b.page.getByText('Couldn’t save your answer.').waitFor();
    await expect.poll(() => guests(b.page)).toContain('B\nBob\nNo answer');
    await b.page.unroute('**/attendance');
    await b.page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();
    await button(b.page, 'Yes').press('Enter');
    await expect.poll(() => guests(b.page)).toContain('B\nBob\nGoing');
    expect(await button(b.page, 'Yes').getAttribute('aria-pressed')).toBe('true');
    await a.page.reload();
    await facts(a.page).getByText('1 going').waitFor();
  });

  it('of a series change one by one or all, and come back after Undo', async () => {
    const { open, create, read } = await start();
    const { id } = await create(weekly);
    const { page } = await open(ann, `/calendar?open=${id}&start=${at('02-09')}`);
    await button(page, 'Edit').press('Enter');
    await inspect(page, 'calendar-event-scope');
    await button(page, 'This event').press('Enter');
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
    await button(page, 'All events').click();
    await field(page, 'Starts').fill('2027-02-03');
    await drawer(page).getByText('Every week on Wednesday, 6 times').waitFor();
    await button(page, 'Save changes').click();
    await page.getByText('Event saved').first().waitFor();
    await expect.poll(async () => (await read(id)).start).toBe(at('02-03'));
    expect(await read(id)).toMatchObject({
      rrule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=6',
      overrides: [
        { recurrenceId: at('02-10'), start: '2027-02-10T13:00:00.000Z', location: 'Room 7' },
      ],
    });

    await page.goto(new URL(`/calendar?open=${id}&start=${at('02-10')}`, page.url()).href);
    await button(page, 'More actions').press('Enter');
    await page.getByRole('menuitem', { name: 'Delete this event' }).press('Enter');
    await page.getByText('Event deleted').waitFor();
    expect((await read(id)).exdates).toEqual([at('02-10')]);
    await button(page, 'Undo').click();
    await page.getByText('Event restored').waitFor();
    expect(await read(id)).toMatchObject({ exdates: [], overrides: [{ location: 'Room 7' }] });

    await page.goto(new URL(`/calendar?open=${id}`, page.url()).href);
    await facts(page).getByText('First event').waitFor();
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Delete all events' }).click();
    await page.getByRole('dialog', { name: 'Delete all events of “Print review”?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Event deleted').waitFor();
    expect(await read(id)).toBeUndefined();
  });

  it('of a series move by drag, one or all, and a question that is dismissed puts them back', async () => {
    const { open, create, read } = await start();
    const { id } = await create(weekly);
    const { page } = await open(ann, '/calendar?date=2027-02-09');
    const event = (day: string) =>
      page.locator(`[data-day="${day}"]`).getByRole('button', { name: /^Print review/ });
    const drag = async (from: string, to: string) => {
      await event(from).hover();
      await page.mouse.down();
      const box = await page.locator(`[data-day="${to}"]`).boundingBox();
      await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 60, { steps: 8 });
      await page.mouse.up();
      await page.getByRole('dialog', { name: 'Which events?' }).waitFor();
    };
    await drag('2027-02-09', '2027-02-11');
    await page.keyboard.press('Escape');
    await event('2027-02-09').waitFor();
    expect((await read(id)).version).toBe(1);
    await drag('2027-02-09', '2027-02-11');
    await button(page, 'This event').click();
    await expect
      .poll(async () => (await read(id)).overrides)
      .toMatchObject([{ recurrenceId: at('02-09'), start: at('02-11') }]);
    await event('2027-02-11').waitFor();
    // All the others follow this one, and that which was moved keeps its distance.
    await drag('2027-02-16', '2027-02-17');
    await button(page, 'All events').click();
    await expect.poll(async () => (await read(id)).rrule).toBe('FREQ=WEEKLY;BYDAY=WE;COUNT=6');
    await event('2027-02-17').waitFor();
    await event('2027-02-12').waitFor();
    expect(await read(id)).toMatchObject({
      start: at('02-03'),
      overrides: [{ recurrenceId: at('02-10'), start: at('02-12') }],
    });
  });

  it('that two people change show both versions', async () => {
    const { open, create, read, api } = await start();
    const { id } = await create(weekly);
    const { page } = await open(ann, `/calendar?open=${id}`);
    await button(page, 'Edit').click();
    await field(page, 'Title').fill('Mine');
    await api('PUT', `/api/calendar/events/${id}`, { title: 'Theirs', location: 'Room 9' });
    await button(page, 'Save changes').click();
    const conflict = page.getByRole('alert');
    await conflict.getByText('Title: yours is “Mine”, theirs is “Theirs”.').waitFor();
    await inspect(page, 'calendar-event-conflict');
    await button(page, 'Keep mine').press('Enter');
    await page.getByText('Event saved').waitFor();
    expect(await read(id)).toMatchObject({ title: 'Mine', location: 'Room 9' });
  });

  it('have rules of their own, which stay until they are changed', async () => {
    const { open, create, read } = await start();
    const rrule = 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1';
    const { id } = await create({ ...weekly, rrule });
    const { page } = await open(bob, `/calendar?open=${id}`);
    await page.getByText('Event not found.').waitFor();
    const a = await open(ann, `/calendar?open=${id}`);
    await facts(a.page).getByText(rrule).waitFor();
    await button(a.page, 'Edit').click();
    await button(a.page, 'Change').click();
    await a.page.getByLabel('Rule', { exact: true }).fill('FREQ=HOURLY');
    await button(a.page, 'Save changes').click();
    await drawer(a.page)
      .getByText(/^Must contain FREQ=DAILY/)
      .waitFor();
    const editor = a.page.locator('.rule-editor');
    await editor.getByLabel('Repeats').selectOption('MONTHLY');
    await editor.getByLabel('On', { exact: true }).selectOption('weekday');
    await editor.getByLabel('Which').selectOption('-1');
    await editor.getByLabel('Weekday').last().selectOption('FR');
    await drawer(a.page).getByText('Every month on the last Friday').waitFor();
    await button(a.page, 'Save changes').click();
    await a.page.getByText('Event saved').waitFor();
    expect((await read(id)).rrule).toBe('FREQ=MONTHLY;BYDAY=-1FR');
  });

  it('keep what is written while offline, and ask before it is lost', async () => {
    const { open, api } = await start();
    const { page } = await open(ann, '/calendar?date=2027-02-01&new=event');
    await field(page, 'Title').fill('Proofs');
    await field(page, 'Starts').fill('2027-02-04');
    await page.context().setOffline(true);
    await button(page, 'Create event').click();
    await drawer(page).getByRole('alert').waitFor();
    expect(await field(page, 'Title').inputValue()).toBe('Proofs');
    await page.context().setOffline(false);

    // What is beside the calendar changes only after a question.
    const question = page.getByRole('dialog', { name: 'Discard' });
    for (const name of ['Feed address', 'New event']) {
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('link', { name }))
        .first()
        .dispatchEvent('click');
      await question.waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => question.count()).toBe(0);
    }
    expect(await field(page, 'Title').inputValue()).toBe('Proofs');
    await button(page, 'Create event').click();
    await page.getByText('Event created').waitFor();
    const { data } = await api('GET', '/api/calendar/events?start=2027-02-01&end=2027-02-28');
    expect(data.items.map(({ title }: { title: string }) => title)).toEqual(['Proofs']);
  });

  it('that are tasks are marked as done', async () => {
    const { open, create, read } = await start();
    const { id } = await create({ ...weekly, type: 'task', priority: 'high' });
    const { page } = await open(ann, `/calendar?open=${id}&start=${at('02-09')}`);
    await facts(page).getByText('High priority').waitFor();
    await button(page, 'Mark as done').press('Enter');
    await facts(page).getByText('Done').waitFor();
    await expect.poll(async () => (await read(id)).overrides).toMatchObject([{ status: 'done' }]);
    expect((await read(id)).status).toBe('pending');
    await button(page, 'Mark as not done').click();
    await facts(page).getByText('To do').waitFor();
  });

  it('need a permission to be created, and none to invite people', async () => {
    const { open, url, token, find } = await start();
    const b = await open(bob, '/calendar?new=event');
    await b.page.getByRole('searchbox', { name: 'Whole email address' }).waitFor();
    const { id, version } = await find('bob');
    const permissions = ['calendar:view'];
    const body = { version, permissions };
    const changed = await send(`${url}/api/users/${id}`, { method: 'PUT', token, body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await b.page.reload();
    await b.page.getByText('You need the permission to create events.').waitFor();
  });
});
