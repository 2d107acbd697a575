import { confirm } from '../../../../browser/components/dialog.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { close, reload } from '../parts/state.ts';
import type { CalendarEvent } from './record.ts';
import { eventTexts as texts } from './texts.ts';

/** Brings back an occurrence, with what was changed about it. `before` is the event that had it. */
const restore = async (
  before: CalendarEvent,
  { id, version, exdates }: CalendarEvent,
  start: string,
): Promise<void> => {
  try {
    const there = await api.call('PUT /api/calendar/events/{id}', {
      params: { id },
      body: { exdates: exdates.filter((one) => one !== start) },
      ifMatch: version,
    });
    const changed = before.overrides.find(({ recurrenceId }) => recurrenceId === start);
    if (changed) {
      const { recurrenceId, ...body } = changed;
      await api.call('PUT /api/calendar/events/{id}/occurrences/{start}', {
        params: { id, start },
        body,
        ifMatch: there.version,
      });
    }
    toast({ text: texts.restored });
  } catch (error) {
    toast({ text: texts.notRestored((error as Error).message), kind: 'bad' });
  }
  await reload();
};

/** Cancels one occurrence of a recurring event, which can be undone. */
export const removeOccurrence = async (event: CalendarEvent, start: string): Promise<void> => {
  const { id, version: ifMatch } = event;
  try {
    const left = await api.call('DELETE /api/calendar/events/{id}/occurrences/{start}', {
      params: { id, start },
      ifMatch,
    });
    close();
    toast({
      text: texts.deleted,
      action: { label: texts.undo, run: () => restore(event, left, start) },
    });
    await reload();
  } catch (error) {
    showFailure(texts.notDeleted((error as Error).message), () => removeOccurrence(event, start));
  }
};

/** Deletes an event with all its occurrences, after a question. */
export const removeAll = async (event: CalendarEvent): Promise<void> => {
  const { id, version: ifMatch, title, rrule, attendees } = event;
  const question = {
    title: rrule === null ? texts.deleteTitle(title) : texts.deleteAllTitle(title),
    text: attendees.length > 0 ? texts.deleteTextInvited : texts.deleteText,
    action: texts.delete,
  };
  if (!(await confirm(question))) return;
  const send = async () => {
    try {
      await api.call('DELETE /api/calendar/events/{id}', { params: { id }, ifMatch });
      close();
      toast({ text: texts.deleted });
      await reload();
    } catch (error) {
      showFailure(texts.notDeleted((error as Error).message), send);
    }
  };
  await send();
};
