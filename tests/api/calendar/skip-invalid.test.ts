import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listOpenTasks } from '../../../functions/api/calendar/events/tasks.ts';
import { eventKeys } from '../../../functions/api/calendar/record/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { cancel, change, look, made, startsIn } from '../../support/calendar/calendar.ts';
import { newFeed, textOf } from '../../support/calendar/feed.ts';
import {
  count,
  hourIn,
  minuteMs,
  planned,
  turn,
  usePlanners,
} from '../../support/calendar/reminders.ts';
import { pass } from '../../support/run/virtual-time.ts';
import { signInAgain } from '../../support/users/use-people.ts';

const people = usePlanners();

beforeEach(() => void vi.spyOn(getLogger(), 'error').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

/** Returns the ids of invalid events in the log since the last call. */
const loggedEvents = (): unknown[] => {
  const { calls } = vi.mocked(getLogger().error).mock;
  return calls.splice(0).map((entry) => (entry as unknown as [string, { event: number }])[1].event);
};

/** Stores an invalid field in an event, as another service version could. */
const breakEvent = async (id: number, [name, value]: readonly [string, unknown]): Promise<void> => {
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: eventKeys.record.at({ id }),
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
};

const window = ['2026-11-01', '2027-02-01'] as const;

describe('event that cannot be expanded', () => {
  it.each([
    ['rrule', 'FREQ=SECONDLY'],
    ['rrule', 'FREQ=DAILY;UNTIL=+0100000101T045959Z'],
    ['timezone', 'Mars/Olympus'],
  ])('with %s %s is omitted from lists and does not affect other events', async (...broken) => {
    const { ann, bob } = people;
    const times = { ...hourIn(30), rrule: 'FREQ=WEEKLY;COUNT=2', attendees: [bob.id] };
    const sound = await made(ann, { ...times, title: 'Sound', type: 'task' });
    const { id } = await made(ann, { ...times, ...hourIn(90), title: 'Broken', type: 'task' });
    const feed = await newFeed(bob);
    await breakEvent(id, broken);
    const starts = await startsIn(bob, ...window);
    expect(starts).toHaveLength(2);
    expect(starts[0]).toBe(sound.start);
    expect(loggedEvents()).toEqual([id]);
    const text = await textOf(feed);
    expect(text).toContain('SUMMARY:Sound');
    expect(text).not.toContain('SUMMARY:Broken');
    expect(loggedEvents()).toEqual([id]);
    expect(await listOpenTasks(ann.id)).toMatchObject([
      { event: { id: sound.id } },
      { event: { id } },
    ]);
    expect(loggedEvents()).toEqual([id]);
    // The owner can view, repair and delete it.
    expect((await look(ann, id)).body.data.title).toBe('Broken');
    const mended = await change(ann, id, { rrule: 'FREQ=WEEKLY;COUNT=2', timezone: 'UTC' });
    expect(mended.status).toBe(200);
    expect(await startsIn(bob, ...window)).toHaveLength(4);
    // The owner can also repair it with the full record.
    await breakEvent(id, broken);
    const { data } = (await look(ann, id)).body;
    const whole = { ...data, rrule: 'FREQ=WEEKLY;COUNT=2', timezone: 'UTC' };
    expect((await change(ann, id, whole)).status).toBe(200);
    await breakEvent(id, broken);
    expect((await cancel(ann, id)).status).toBe(200);
    await cancel(ann, sound.id);
  });

  it('sends no reminders until it is repaired and does not affect others', async () => {
    const { bob } = people;
    const times = { ...hourIn(30), rrule: 'FREQ=DAILY', reminders: [10] };
    const { id } = await made(people.ann, times);
    await breakEvent(id, ['rrule', 'FREQ=SECONDLY']);
    const guests = { attendees: [bob.id] };
    const sound = await made(people.ann, { ...times, ...guests });
    pass(20 * minuteMs);
    await turn();
    expect(await count(people.ann, bob)).toEqual([1, 1]);
    expect(loggedEvents()).toEqual([id]);
    expect(await planned(id)).toEqual([]);
    pass(minuteMs);
    await turn();
    expect(loggedEvents()).toEqual([]);
    const ann = await signInAgain(people.ann);
    expect((await change(ann, id, { rrule: 'FREQ=DAILY;INTERVAL=2' })).status).toBe(200);
    expect(await planned(id)).toHaveLength(1);
    await cancel(ann, id);
    await cancel(ann, sound.id);
  });
});
