import { keys } from '../../../../shared/db/table.ts';
import { queryItems } from '../../../../shared/lists/pagination.ts';
import {
  getDuration,
  isOpenTask,
  type Override,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from '../record/event.ts';
import { parseRecurrence } from '../record/schedule.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { findAll } from '../record/store.ts';
import { createWorkBudget, iterate, type WorkBudget } from '../recurrence/recurrence.ts';

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
const nextDue = (event: StoredEvent, now: number, steps: WorkBudget): OpenTask | undefined => {
  const recurrence = parseRecurrence(event);
  if (!recurrence) return undefined;
  const duration = getDuration(event);
  const walker = iterate(recurrence, now - duration, now + yearMs);
  while (!walker.isOver() && steps.left > 0) {
    walker.walkOn(steps);
    for (const start of walker.found.splice(0)) {
      const id = toTimeField(event, start);
      const override = event.overrides.find(({ recurrenceId }) => recurrenceId === id);
      if (event.exdates.includes(id) || override?.status === 'done') continue;
      const dueDate = override?.end ?? toTimeField(event, start + duration);
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
  const items = await queryItems(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.openTask(userId, '', 0).pk },
      ConsistentRead: true,
    },
    maxTasks,
    undefined,
  );
  const events = await findAll(items.map(({ id }) => id as number));
  const [now, steps] = [Date.now(), createWorkBudget()];
  return events
    .flatMap((event) =>
      event && event.ownerId === userId && isOpenTask(event)
        ? [skipInvalid(event, () => nextDue(event, now, steps)) ?? { event, dueDate: event.end }]
        : [],
    )
    .sort((a, b) => toSortableTime(a.event, a.dueDate) - toSortableTime(b.event, b.dueDate));
};
