import { keys } from '../../../../shared/db/table.ts';
import { readSome } from '../../../../shared/lists/pagination.ts';
import {
  durationOf,
  isOpenTask,
  type Override,
  type StoredEvent,
  tickOf,
  timeOf,
} from '../record/event.ts';
import { recurrenceIn } from '../record/schedule.ts';
import { unlessBroken } from '../record/skip-invalid.ts';
import { findAll } from '../record/store.ts';
import { newSteps, type Steps, walk } from '../recurrence/recurrence.ts';

/** A task that is not done, and when it is due: a time or a date (ISO 8601). */
export interface OpenTask {
  readonly event: StoredEvent;
  readonly dueDate: string;
  /** Of what recurs: which time it is that is due then, by its start by the rule, and how that differs from the others. */
  readonly recurrenceId?: string;
  readonly override?: Override | undefined;
}

const maxTasks = 100;
const yearMs = 366 * 86_400_000;

/** When a recurring task is due next, apart from what was cancelled or is done; `undefined` where it is not within a year. */
const nextDue = (event: StoredEvent, now: number, steps: Steps): OpenTask | undefined => {
  const recurrence = recurrenceIn(event);
  if (!recurrence) return undefined;
  const duration = durationOf(event);
  const walker = walk(recurrence, now - duration, now + yearMs);
  while (!walker.isOver() && steps.left > 0) {
    walker.walkOn(steps);
    for (const start of walker.found.splice(0)) {
      const id = timeOf(event, start);
      const override = event.overrides.find(({ recurrenceId }) => recurrenceId === id);
      if (event.exdates.includes(id) || override?.status === 'done') continue;
      const dueDate = override?.end ?? timeOf(event, start + duration);
      return { event, dueDate, recurrenceId: id, override };
    }
  }
  return undefined;
};

/**
 * A user's own tasks that are not done, what is due first at the beginning: the first 100. Of one that recurs it is the
 * next time that is shown, or the first where there is none within a year.
 */
export const openTasks = async (userId: number): Promise<readonly OpenTask[]> => {
  const items = await readSome(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.openTask(userId, '', 0).pk },
      ConsistentRead: true,
    },
    maxTasks,
    undefined,
  );
  const events = await findAll(items.map(({ id }) => id as number));
  const [now, steps] = [Date.now(), newSteps()];
  return events
    .flatMap((event) =>
      event && event.ownerId === userId && isOpenTask(event)
        ? [unlessBroken(event, () => nextDue(event, now, steps)) ?? { event, dueDate: event.end }]
        : [],
    )
    .sort((a, b) => tickOf(a.event, a.dueDate) - tickOf(b.event, b.dueDate));
};
