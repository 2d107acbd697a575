import type { Signal } from '@preact/signals';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { formatList } from '../../../../browser/data/format.ts';
import { Conflict } from '../../../../browser/record/conflict.tsx';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { useRecordForm } from '../../../../browser/record/record-form.ts';
import { api } from '../../../../browser/shell/api.ts';
import { describeRule } from '../../rule/sentence.ts';
import { ruleTexts } from '../../rule/texts.ts';
import { language, reload } from '../parts/state.ts';
import { EventFields, OccurrenceFields } from './form-fields.tsx';
import { type CalendarEvent, getOccurrence, records } from './record.ts';
import { eventFormTexts, eventTexts as texts } from './texts.ts';
import { describeReminder } from './times.ts';
import { type EventValues, eventRules, toBody, toOccurrenceBody, toValues } from './values.ts';

/** Writes values as a conflict shows them. */
const toShown = (values: Partial<EventValues>, all: EventValues) => {
  const { attendees, reminders, rrule, type, priority, status } = values;
  const { start, timezone: zone } = all;
  const rule = (text: string) =>
    text === '' ? ruleTexts.never : (describeRule(text, { start, zone, language }) ?? text);
  return {
    ...values,
    ...(attendees && { attendees: formatList(attendees.map(({ name }) => name)) }),
    ...(reminders && { reminders: formatList(reminders.map(describeReminder)) }),
    ...(rrule !== undefined && { rrule: rule(rrule) }),
    ...(type && { type: texts.types[type] }),
    ...(priority && { priority: texts.priorities[priority] }),
    ...(status && { status: texts.statuses[status] }),
  } as Record<keyof EventValues, unknown>;
};

interface EditEventProps {
  readonly source: Signal<CalendarEvent | undefined>;
  /** The `occurrenceStart` of the one occurrence to change; without it, all change. */
  readonly start: string | undefined;
  readonly onDone: () => void;
}

const send = (
  { id, version: ifMatch }: CalendarEvent,
  start: string | undefined,
  changes: Partial<EventValues>,
  all: EventValues,
): Promise<CalendarEvent> =>
  start === undefined
    ? api.call('PUT /api/calendar/events/{id}', {
        params: { id },
        body: toBody(changes, all),
        ifMatch,
      })
    : api.call('PUT /api/calendar/events/{id}/occurrences/{start}', {
        params: { id, start },
        body: toOccurrenceBody(changes, all),
        ifMatch,
      });

/** The form that changes an event, or one occurrence of it. */
export const EditEvent = ({ source, start, onDone }: EditEventProps) => {
  const read = (event: CalendarEvent): EventValues => {
    const occurrence = start === undefined ? undefined : getOccurrence(event, start);
    return toValues({ ...event, ...occurrence });
  };
  const { form, theirs, findMine, keepMine, keepTheirs } = useRecordForm<
    CalendarEvent,
    EventValues
  >({
    id: 'event',
    current: source.value as CalendarEvent,
    isOwn: source.value !== undefined && records.isShown(source.value),
    rules: eventRules,
    toValues: read,
    save: async (event, changes, values) => {
      const saved = await send(event, start, changes, values);
      toast({ text: texts.saved });
      onDone();
      return saved;
    },
    readCurrent: () => {
      const { id } = source.peek() as CalendarEvent;
      return api.call('GET /api/calendar/events/{id}', { params: { id } });
    },
    show: (event) => {
      source.value = event;
      void reload();
    },
  });
  return (
    <Drawer
      title={texts.editEvent}
      onClose={onDone}
      footer={<FormFooter id="event" form={form} submit={texts.save} isEdit onClose={onDone} />}
    >
      {theirs.value && (
        <Conflict
          text={texts.conflict}
          labels={eventFormTexts.fields}
          mine={toShown(findMine(), form.values.value)}
          theirs={toShown(read(theirs.value), read(theirs.value))}
          keepMine={keepMine}
          keepTheirs={keepTheirs}
        />
      )}
      <EditForm id="event" form={form} of={texts.thisEvent}>
        {start === undefined ? <EventFields form={form} /> : <OccurrenceFields form={form} />}
      </EditForm>
    </Drawer>
  );
};
