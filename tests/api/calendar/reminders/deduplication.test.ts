import { describe, expect, it } from 'vitest';
import { eventReminders } from '../../../../functions/api/calendar/reminders/reminders.ts';
import { made } from '../../../support/calendar/calendar.ts';
import {
  count,
  hourIn,
  inMinutes,
  leftJobs,
  minuteMs,
  planned,
  turn,
  usePlanners,
} from '../../../support/calendar/reminders.ts';
import { pass } from '../../../support/run/virtual-time.ts';
import { deadJobs, runMinute, sendBody, withoutQueue } from '../../../support/service/jobs.ts';
import { mailsTo } from '../../../support/service/mail.ts';
import { sweep } from '../../../support/service/sweeps.ts';

const people = usePlanners();

describe('reminder', () => {
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
