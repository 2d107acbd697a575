import { describe, expect, it, vi } from 'vitest';
import { eventReminders } from '../../../functions/api/calendar/reminders/reminders.ts';
import { accessDenied } from '../../support/aws/errors.ts';
import { failConditions, type Sent, useMockedService } from '../../support/aws/mocked-service.ts';
import { made, newPlanner } from '../../support/calendar/calendar.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { sweep } from '../../support/service/sweeps.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

useVirtualTime('2026-11-21T12:00:00Z');
const { watch, items } = useMockedService();
const run = () => sweep(eventReminders);

const isReminder = ({ name, input }: Sent): boolean =>
  name === 'TransactWrite' && JSON.stringify(input).includes('event-reminder');
/** Creates two events with reminders that are due in an hour. */
const makeTwo = async (): Promise<void> => {
  const planner = await newPlanner();
  const start = new Date(Date.now() + 70 * 60_000).toISOString();
  const end = new Date(Date.now() + 80 * 60_000).toISOString();
  for (const title of ['One', 'Two']) await made(planner, { title, start, end, reminders: [10] });
  pass(60 * 60_000);
};

describe('reminders', () => {
  it('are sent of the other events after a failure', async () => {
    await makeTwo();
    let count = 0;
    const error = accessDenied();
    const act = watch(run, (one) => (isReminder(one) && count++ === 0 ? error : undefined));
    await expect(act).rejects.toThrow(error);
    expect(count).toBe(2);
    const { sent } = await watch(run);
    expect(sent.filter(isReminder)).toHaveLength(1);
  });

  it.each(['ConditionCheck', 'Delete'])(
    'are planned again after a concurrent change: %s',
    async (kind) => {
      await makeTwo();
      const { sent } = await watch(
        run,
        failConditions(new RegExp(`^${kind} EVENT#`), { times: 1 }),
      );
      expect(sent.filter(isReminder)).toHaveLength(3);
    },
  );

  it('are skipped if they were moved since the index was read', async () => {
    await makeTwo();
    const { sent } = await watch(run, ({ name }) => {
      if (name !== 'BatchGet') return undefined;
      const due = items.all().filter(({ at }) => at !== undefined);
      for (const { pk, sk } of due) {
        items.change(String(pk), String(sk), { at: '2027-01-01T00:00:00.000Z' });
      }
      return undefined;
    });
    expect(sent.filter(isReminder)).toEqual([]);
  });
});
