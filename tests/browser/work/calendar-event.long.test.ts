// Rarer changes of events: series that move, rules of their own, conflicts, no network. The flows are in `calendar-event.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { choose } from '../../support/pages/series-question.ts';
import { send } from '../../support/run/process.ts';
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
      await page.getByRole('dialog', { name: 'Move “Print review”' }).waitFor();
    };
    await drag('2027-02-09', '2027-02-11');
    await page.keyboard.press('Escape');
    await event('2027-02-09').waitFor();
    await expect.poll(async () => (await read(id)).version).toBe(1);
    await drag('2027-02-09', '2027-02-11');
    await choose(page, 'This event', 'Move');
    await expect
      .poll(async () => (await read(id)).overrides)
      .toMatchObject([{ recurrenceId: at('02-09'), start: at('02-11') }]);
    await event('2027-02-11').waitFor();
    // All the others follow this one, and that which was moved keeps its distance.
    await drag('2027-02-16', '2027-02-17');
    await choose(page, 'All events', 'Move');
    await expect.poll(async () => (await read(id)).rrule).toBe('FREQ=WEEKLY;BYDAY=WE;COUNT=6');
    await event('2027-02-17').waitFor();
    await event('2027-02-12').waitFor();
    await expect
      .poll(() => read(id))
      .toMatchObject({
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
    await expect.poll(() => read(id)).toMatchObject({ title: 'Mine', location: 'Room 9' });
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
    await expect.poll(async () => (await read(id)).rrule).toBe('FREQ=MONTHLY;BYDAY=-1FR');
  });

  it('that are tasks are marked as done', async () => {
    const { open, create, read } = await start();
    const { id } = await create({ ...weekly, type: 'task', priority: 'high' });
    const { page } = await open(ann, `/calendar?open=${id}&start=${at('02-09')}`);
    await facts(page).getByText('High priority').waitFor();
    await button(page, 'Mark as done').press('Enter');
    await facts(page).getByText('Done').waitFor();
    await expect.poll(async () => (await read(id)).overrides).toMatchObject([{ status: 'done' }]);
    await expect.poll(async () => (await read(id)).status).toBe('pending');
    await button(page, 'Mark as not done').click();
    await facts(page).getByText('To do').waitFor();
  });

  it('need a permission to be created, and none to invite people', async () => {
    const { open, url, token, find } = await start();
    const b = await open(bob, '/calendar?new=event');
    await b.page.getByPlaceholder('Whole email address').waitFor();
    const { id, version } = await find('bob');
    const permissions = ['calendar:view'];
    const body = { version, permissions };
    const changed = await send(`${url}/api/users/${id}`, { method: 'PUT', token, body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await b.page.reload();
    await b.page.getByText('You need the permission to create events.').waitFor();
  });

  it('keep what is written while offline, and ask before it is lost', async () => {
    const { open, api } = await start();
    // As dragged in the calendar; the button's form has other times.
    const [from, to] = ['2027-02-04T09:00:00.000Z', '2027-02-04T10:00:00.000Z'];
    const { page } = await open(ann, `/calendar?date=2027-02-01&new=event&start=${from}&end=${to}`);
    await field(page, 'Title').fill('Proofs');
    await page.context().setOffline(true);
    await button(page, 'Create event').click();
    await drawer(page).getByRole('alert').waitFor();
    await expect.poll(() => field(page, 'Title').inputValue()).toBe('Proofs');
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
    await expect.poll(() => field(page, 'Title').inputValue()).toBe('Proofs');
    await button(page, 'Create event').click();
    await page.getByText('Event created').waitFor();
    const { data } = await api('GET', '/api/calendar/events?start=2027-02-01&end=2027-02-28');
    expect(data.items.map(({ title }: { title: string }) => title)).toEqual(['Proofs']);
  });

  it('of a series are answered one by one or all', async () => {
    const { open, create, ids, read } = await start();
    const { id } = await create({ ...weekly, attendees: [ids.bob] });
    const { page, complaints } = await open(bob, `/calendar?open=${id}&start=${at('02-09')}`);
    const isChosen = (answer: string) =>
      expect.poll(() => button(page, answer).getAttribute('aria-pressed')).toBe('true');
    const struck = page.locator('.month .ev.declined');
    await button(page, 'No').click();
    const question = page.getByRole('dialog', { name: 'Decline “Print review”' });
    await question.getByText('Tuesday, February 9, 2027, 5:30 AM').waitFor();
    await question.getByText('Every week on Tuesday, 6 times').waitFor();

    // Nothing is answered by dismissing it, and the focus goes back.
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await expect.poll(() => guests(page)).toContain('B\nBob\nNo answer');
    await expect.poll(() => button(page, 'No').evaluate((it) => it.matches(':focus'))).toBe(true);
    expect((await read(id)).version).toBe(1);

    await button(page, 'No').press('Enter');
    await choose(page, 'This event', 'Decline');
    await isChosen('No');
    await expect.poll(() => guests(page)).toContain('B\nBob\nNot going');
    await expect.poll(() => struck.count()).toBe(1);
    await expect
      .poll(() => read(id))
      .toMatchObject({
        attendees: [{ status: 'pending' }],
        answers: [{ userId: ids.bob, occurrenceStart: at('02-09'), status: 'declined' }],
      });
    // What was said to one can be said to all, of which the month shows five.
    await button(page, 'No').click();
    await choose(page, 'All events', 'Decline');
    await expect.poll(() => struck.count()).toBe(5);
    await expect
      .poll(() => read(id))
      .toMatchObject({ attendees: [{ status: 'declined' }], answers: [] });
    await button(page, 'Maybe').click();
    await choose(page, 'This event', 'Answer “Maybe”');
    await isChosen('Maybe');
    await expect.poll(() => struck.count()).toBe(4);
    expect(complaints).toEqual([]);
  });
});
