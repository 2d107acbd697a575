import {
  findOverride,
  getDuration,
  isOpenTask,
  type Override,
  type StoredEvent,
  toSortableTime,
  toTimeField,
} from '../record/event.ts';
import { findOpenTasks } from '../record/open-tasks.ts';
import { parseRecurrence } from '../record/schedule.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { findAll } from '../record/store.ts';
import { createWorkBudget, iterate, type WorkBudget } from '../recurrence/recurrence.ts';

/** A task that is not done. `dueDate` is a time or a date (ISO 8601). */
export interface OpenTask {
  readonly event: StoredEvent;
  readonly dueDate: string;
  /** For a recurring task, the start of the due occurrence according to the rule. */
  readonly recurrenceId?: string;
  readonly override?: Override | undefined;
}

const yearMs = 366 * 86_400_000;

/** Finds the next due occurrence that is neither canceled nor done; `undefined` if there is none within a year. */
const findNextDue = (event: StoredEvent, now: number, steps: WorkBudget): OpenTask | undefined => {
  const recurrence = parseRecurrence(event);
  if (!recurrence) return undefined;
  const duration = getDuration(event);
  const iterator = iterate(recurrence, now - duration, now + yearMs);
  while (!iterator.isDone() && steps.left > 0) {
    iterator.advance(steps);
    for (const start of iterator.found.splice(0)) {
      const id = toTimeField(event, start);
      const override = findOverride(event, id);
      if (event.exdates.includes(id) || override?.status === 'done') continue;
      const dueDate = override?.end ?? toTimeField(event, start + duration);
      return { event, dueDate, recurrenceId: id, override };
    }
  }
  return undefined;
};

/**
 * Lists a user's open tasks by due date, up to 100. A recurring task is listed with its next occurrence, or the first if
 * there is none within a year.
 */
export const listOpenTasks = async (
  userId: number,
  found = findOpenTasks(userId),
): Promise<readonly OpenTask[]> => {
  const events = await findAll(await found);
  const [now, steps] = [Date.now(), createWorkBudget()];
  return events
    .flatMap((event) =>
      event && event.ownerId === userId && isOpenTask(event)
        ? [
            skipInvalid(event, () => findNextDue(event, now, steps)) ?? {
              event,
              dueDate: event.end,
            },
          ]
        : [],
    )
    .sort((a, b) => toSortableTime(a.event, a.dueDate) - toSortableTime(b.event, b.dueDate));
};
