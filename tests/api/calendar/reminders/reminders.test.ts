import { describe, expect, it, vi } from 'vitest';
import { eventReminders } from '../../../../functions/api/calendar/reminders/reminders.ts';
import {
  attend,
  attendOne,
  cancelOccurrence,
  change,
  made,
  newGuest,
  updateOccurrence,
} from '../../../support/calendar/calendar.ts';
import {
  count,
  hourIn,
  hourMs,
  inMinutes,
  iso,
  leftJobs,
  minuteMs,
  planned,
  remindersOf,
  turn,
  usePlanners,
} from '../../../support/calendar/reminders.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { deadJobs, runMinute, sendBody, withoutQueue } from '../../../support/service/jobs.ts';
import { linkOf, mailsTo } from '../../../support/service/mail.ts';
import { sweep } from '../../../support/service/sweeps.ts';
import { newUserOf, setUser } from '../../../support/users/test-users.ts';
import { signInAgain } from '../../../support/users/use-people.ts';

const people = usePlanners();

describe('reminder', () => {
  it('is sent n minutes before as notification and email to the owner and attendees', async () => {
    const times = hourIn(30);
    const { id } = await made(people.ann, {
      ...times,
      title: 'Board meeting',
      location: 'Room 2',
      reminders: [10],
      attendees: [people.bob.id],
    });
    pass(19 * minuteMs);
    await turn();
    expect(await count(people.ann, people.bob)).toEqual([0, 0]);
    pass(minuteMs);
    await turn();
    const when = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: 'UTC',
    }).format(Date.parse(times.start));
    expect(await remindersOf(people.bob)).toEqual([
      expect.objectContaining({
        type: 'alert',
        title: 'Event reminder',
        content: `“Board meeting”: ${when} (UTC), Room 2`,
        link: `/api/calendar/events/${id}`,
      }),
    ]);
    const [mail, ...others] = await mailsTo(people.ann.email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Reminder: Board meeting' });
    expect(mail?.text).toContain(`Board meeting: ${when} (UTC).\n\nLocation: Room 2`);
    expect(mail?.text).toContain('You set this reminder');
    expect(mail && linkOf(mail)).toBe(`https://handbill.test/calendar?open=${id}`);
    const [invited] = await mailsTo(people.bob.email);
    expect(invited?.text).toContain('You’re invited to this event.');
    expect(invited?.text).not.toContain('Room 2');
    expect(await planned(id)).toEqual([]);
  });

  it('is sent once for each reminder time', async () => {
    const { id } = await made(people.ann, { ...hourIn(90), reminders: [0, 60, 10] });
    for (const [minutes, expected] of [
      [30, 1],
      [1, 1],
      [49, 2],
      [10, 3],
      [60, 3],
    ] as const) {
      pass(minutes * minuteMs);
      await turn();
      expect(await count(people.ann)).toEqual([expected]);
    }
    expect(await mailsTo(people.ann.email)).toHaveLength(3);
    expect(await planned(id)).toEqual([]);
  });

  it('contains the time in the time zone of the recipient', async () => {
    const tim = await newUserOf('user', { timezone: 'Asia/Tokyo' });
    const start = '2027-06-01T22:00:00Z';
    vi.setSystemTime(Date.parse(start) - hourMs);
    await made(await signInAgain(people.ann), {
      start,
      end: start,
      reminders: [0],
      attendees: [tim.id],
    });
    vi.setSystemTime(Date.parse(start));
    await turn();
    const contents = await Promise.all(
      [people.ann, tim].map(async (one) => (await remindersOf(one)).map(({ content }) => content)),
    );
    expect(contents).toEqual([
      ['“An event”: Tuesday, 1 June 2027 at 22:00 (UTC)'],
      ['“An event”: Wednesday, 2 June 2027 at 07:00 (Asia/Tokyo)'],
    ]);
  });

  it('of an all-day event is relative to the start of the day in its time zone', async () => {
    vi.setSystemTime(Date.parse('2027-07-31T12:00:00Z'));
    await made(await signInAgain(people.ann), {
      start: '2027-08-01',
      end: null,
      timezone: 'America/New_York',
      reminders: [60],
    });
    vi.setSystemTime(Date.parse('2027-08-01T02:59:00Z'));
    await turn();
    expect(await count(people.ann)).toEqual([0]);
    pass(minuteMs);
    await turn();
    expect(await remindersOf(people.ann)).toMatchObject([
      { content: '“An event”: Sunday, 1 August 2027' },
    ]);
  });

  it('is not sent to users who declined, are suspended or were removed', async () => {
    const [cat, dan, eve] = [await newGuest(), await newGuest(), await newGuest()];
    const attendees = [people.bob.id, cat.id, dan.id, eve.id];
    const { id } = await made(people.ann, { ...hourIn(10), reminders: [5], attendees });
    await attend(people.bob, id, 'declined');
    await attend(eve, id, 'tentative');
    await setUser(cat.id, { status: 'suspended' });
    await change(people.ann, id, { attendees: [people.bob.id, cat.id, eve.id] });
    pass(5 * minuteMs);
    await turn();
    expect(await count(people.ann, people.bob, cat, dan, eve)).toEqual([1, 0, 0, 0, 1]);
    expect(await mailsTo(people.bob.email)).toEqual([]);
    expect(await mailsTo(cat.email)).toEqual([]);
    expect(await mailsTo(eve.email)).toHaveLength(1);
  });

  it('follows the answer to its occurrence', async () => {
    const cat = await newGuest();
    const times = hourIn(10);
    const { id } = await made(people.ann, {
      ...times,
      ...{ rrule: 'FREQ=DAILY;COUNT=2', reminders: [5], attendees: [people.bob.id, cat.id] },
    });
    await attendOne(people.bob, id, times.start, 'declined');
    await attend(cat, id, 'declined');
    await attendOne(cat, id, iso(Date.parse(times.start) + 24 * hourMs), 'accepted');
    pass(5 * minuteMs);
    await turn();
    expect(await count(people.ann, people.bob, cat)).toEqual([1, 0, 0]);
    pass(24 * hourMs);
    await turn();
    expect(await count(people.ann, people.bob, cat)).toEqual([2, 1, 1]);
    expect(await mailsTo(cat.email)).toHaveLength(1);
  });

  it('sends no email to users who have lost access to calendars', async () => {
    const [cat, dan] = [await newGuest(), await newUserOf('guest')];
    const attendees = [people.bob.id, cat.id, dan.id];
    await made(people.ann, { ...hourIn(10), reminders: [5], attendees });
    await setUser(cat.id, { role: 'guest' });
    pass(5 * minuteMs);
    await turn();
    const got = await Promise.all([people.bob, cat, dan].map(({ email }) => mailsTo(email)));
    expect(got.map((mails) => mails.length)).toEqual([1, 0, 0]);
    expect(await count(people.bob, cat, dan)).toEqual([1, 1, 1]);
  });

  it('is not sent for a completed task', async () => {
    const { id } = await made(people.ann, { ...hourIn(10), type: 'task', reminders: [5] });
    await change(people.ann, id, { status: 'done' });
    pass(5 * minuteMs);
    await turn();
    expect(await count(people.ann)).toEqual([0]);
    expect(await planned(id)).toEqual([]);
  });

  it('contains no links of a pending invitation', async () => {
    const title = 'Your account: https://evil.example';
    const cat = await newGuest();
    const { id } = await made(people.ann, {
      ...hourIn(10),
      title,
      reminders: [5],
      attendees: [people.bob.id, cat.id],
    });
    await attend(cat, id, 'accepted');
    pass(5 * minuteMs);
    await turn();
    const [pending] = await mailsTo(people.bob.email);
    expect(pending?.subject).toBe('Reminder: An event');
    expect(JSON.stringify(pending)).not.toContain('evil');
    expect((await mailsTo(cat.email))[0]?.subject).toBe(`Reminder: ${title}`);
  });

  it('sends only a notification if email is disabled', async () => {
    const from = process.env['MAIL_FROM'];
    delete process.env['MAIL_FROM'];
    await made(people.ann, { ...hourIn(10), reminders: [5] });
    pass(5 * minuteMs);
    await turn();
    process.env['MAIL_FROM'] = from;
    await turn();
    expect(await count(people.ann)).toEqual([1]);
    expect(await mailsTo(people.ann.email)).toEqual([]);
  });
});

describe('reminder of a recurring event', () => {
  it('is sent for each occurrence by local time', async () => {
    vi.setSystemTime(Date.parse('2027-10-29T12:00:00Z'));
    const { id } = await made(await signInAgain(people.ann), {
      start: '2027-10-30T09:00',
      end: '2027-10-30T10:00',
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=DAILY;COUNT=3',
      reminders: [10],
    });
    // DST ends on October 31.
    const dues = ['2027-10-30T06:50:00Z', '2027-10-31T07:50:00Z', '2027-11-01T07:50:00Z'];
    for (const [at, due] of dues.entries()) {
      expect(await planned(id)).toMatchObject([{ at: iso(Date.parse(due)) }]);
      vi.setSystemTime(Date.parse(due) - 1_000);
      await turn();
      expect(await count(people.ann)).toEqual([at]);
      pass(1_000);
      await turn();
      expect(await count(people.ann)).toEqual([at + 1]);
    }
    expect(await planned(id)).toEqual([]);
  });

  it('follows moved occurrences and skips canceled ones', async () => {
    vi.setSystemTime(Date.parse('2028-03-01T12:00:00Z'));
    const planner = await signInAgain(people.ann);
    const { id } = await made(planner, {
      start: '2028-03-02T09:00:00Z',
      end: '2028-03-02T10:00:00Z',
      rrule: 'FREQ=DAILY;COUNT=4',
      reminders: [10],
    });
    await updateOccurrence(planner, id, '2028-03-02', { start: '2028-03-02T15:00:00Z' });
    await cancelOccurrence(planner, id, '2028-03-03');
    const seen: string[] = [];
    for (let turns = 0; turns < 5; turns++) {
      const [item] = await planned(id);
      if (!item) break;
      seen.push(String(item['at']));
      vi.setSystemTime(Date.parse(String(item['at'])));
      await turn();
    }
    expect(seen).toEqual([
      '2028-03-02T14:50:00.000Z',
      '2028-03-04T08:50:00.000Z',
      '2028-03-05T08:50:00.000Z',
    ]);
    expect(await count(people.ann)).toEqual([3]);
  });

  it('is sent after an outage only for occurrences that are not over', async () => {
    vi.setSystemTime(Date.parse('2028-04-01T12:00:00Z'));
    const { id } = await made(await signInAgain(people.ann), {
      start: '2028-04-02T09:00:00Z',
      end: '2028-04-02T10:00:00Z',
      rrule: 'FREQ=DAILY',
      reminders: [10, 1_440],
    });
    vi.setSystemTime(Date.parse('2028-04-05T09:30:00Z'));
    await turn();
    // Sends today's reminder and the one-day reminder of tomorrow.
    expect((await remindersOf(people.ann)).map(({ content }) => content)).toEqual([
      expect.stringContaining('5 April'),
      expect.stringContaining('6 April'),
    ]);
    expect(await planned(id)).toMatchObject([{ at: '2028-04-06T08:50:00.000Z' }]);
  });

  it('is checked again if no occurrence is due for years', async () => {
    vi.setSystemTime(Date.parse('2028-05-01T12:00:00Z'));
    const { id } = await made(await signInAgain(people.ann), {
      start: '2028-02-29T09:00:00Z',
      end: '2028-02-29T10:00:00Z',
      rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
      reminders: [0],
    });
    let looks = 0;
    for (; (await count(people.ann))[0] === 0 && looks < 10; looks++) {
      const [item] = await planned(id);
      vi.setSystemTime(Date.parse(String(item?.['at'])));
      await turn();
    }
    expect(iso(Date.now()).slice(0, 19)).toBe('2032-02-29T09:00:00');
    expect(looks).toBeLessThan(6);
  });
});

describe('deduplication of reminders', () => {
  it('is sent once if its job is delivered again', async () => {
    await made(people.ann, { ...hourIn(10), reminders: [5], attendees: [people.bob.id] });
    pass(5 * minuteMs);
    await runMinute();
    const [body = ''] = await leftJobs();
    await turn();
    await sendBody(body);
    await sendBody(body);
    await turn();
    expect(await count(people.ann, people.bob)).toEqual([1, 1]);
    expect(await mailsTo(people.ann.email)).toHaveLength(1);
    expect(await mailsTo(people.bob.email)).toHaveLength(1);
    expect(await deadJobs()).toEqual([]);
  });

  it('is sent once by concurrent scheduled runs', async () => {
    const { id } = await made(people.ann, {
      ...hourIn(10),
      reminders: [5],
      attendees: [people.bob.id],
    });
    pass(5 * minuteMs);
    await Promise.all([sweep(eventReminders), sweep(eventReminders), sweep(eventReminders)]);
    expect(await planned(id)).toEqual([]);
    expect(await leftJobs()).toHaveLength(1);
    await turn();
    expect(await count(people.ann, people.bob)).toEqual([1, 1]);
    expect(await mailsTo(people.bob.email)).toHaveLength(1);
  });

  it('is sent late after an outage, only the last of several', async () => {
    await made(people.ann, { start: inMinutes(50), end: inMinutes(170), reminders: [40, 5] });
    pass(110 * minuteMs);
    await turn();
    await turn();
    expect(await count(people.ann)).toEqual([1]);
    expect(await mailsTo(people.ann.email)).toHaveLength(1);
  });

  it('is not sent after the end of the event', async () => {
    const { id } = await made(people.ann, { ...hourIn(20), reminders: [10] });
    pass(81 * minuteMs);
    await turn();
    expect(await count(people.ann)).toEqual([0]);
    expect(await planned(id)).toEqual([]);
  });

  it('is sent once after the queue was unavailable', async () => {
    await made(people.ann, { ...hourIn(10), reminders: [5] });
    pass(5 * minuteMs);
    await withoutQueue(async () => {
      await runMinute();
      await runMinute();
    });
    expect(await count(people.ann)).toEqual([0]);
    await turn();
    expect(await count(people.ann)).toEqual([1]);
  });
});
