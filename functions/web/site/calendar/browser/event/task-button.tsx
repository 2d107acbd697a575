import type { Signal } from '@preact/signals';
import { Button } from '../../../../browser/components/button.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { reload } from '../parts/state.ts';
import type { CalendarEvent } from './record.ts';
import { eventTexts as texts } from './texts.ts';

interface TaskButtonProps {
  readonly source: Signal<CalendarEvent | undefined>;
  /** The `occurrenceStart` of the shown occurrence. */
  readonly start: string | undefined;
  readonly status: CalendarEvent['status'];
}

/** Shows a status at once. */
const withStatus = (
  event: CalendarEvent,
  start: string | undefined,
  status: CalendarEvent['status'],
): CalendarEvent =>
  start === undefined
    ? { ...event, status }
    : {
        ...event,
        overrides: event.overrides.map((one) =>
          one.recurrenceId === start ? { ...one, status } : one,
        ),
      };

/** Marks a task, or one occurrence of it, as done or not. */
export const TaskButton = ({ source, start, status }: TaskButtonProps) => {
  const isDone = status === 'done';
  const mark = async () => {
    const before = source.value;
    if (!before) return;
    const { id, version: ifMatch } = before;
    const body = { status: isDone ? 'pending' : 'done' } as const;
    source.value = withStatus(before, start, body.status);
    try {
      source.value =
        start === undefined
          ? await api.call('PUT /api/calendar/events/{id}', { params: { id }, body, ifMatch })
          : await api.call('PUT /api/calendar/events/{id}/occurrences/{start}', {
              params: { id, start },
              body,
              ifMatch,
            });
      await reload();
    } catch (error) {
      source.value = before;
      showFailure(texts.notChanged((error as Error).message), mark);
    }
  };
  return (
    <Button icon={isDone ? 'undo' : 'check'} onClick={mark}>
      {isDone ? texts.markOpen : texts.markDone}
    </Button>
  );
};
