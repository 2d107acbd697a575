import '../../../../browser/record-page.ts';
import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { EditForm } from '../../../../browser/components/edit-form.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { formatList } from '../../../../browser/data/format.ts';
import { Conflict, findChanges } from '../../../../browser/record/conflict.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { leave } from '../../../../browser/shell/unsaved.ts';
import { describeRule } from '../../rule/sentence.ts';
import { ruleTexts } from '../../rule/texts.ts';
import { language, reload } from '../parts/state.ts';
import { EventFields, OccurrenceFields } from './form-fields.tsx';
import { type CalendarEvent, getOccurrence } from './record.ts';
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
  const before = useSignal(source.peek() as CalendarEvent);
  /** The version that someone else saved meanwhile. */
  const theirs = useSignal<CalendarEvent | undefined>(undefined);
  const form = useMemo(
    () =>
      createForm<EventValues>({
        initial: read(before.peek()),
        rules: eventRules,
        send: async (values) => {
          try {
            const changes = findChanges(values, read(before.value));
            source.value = await send(before.value, start, changes, values);
            toast({ text: texts.saved });
            onDone();
            await reload();
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
            const { id } = before.value;
            theirs.value = await api.call('GET /api/calendar/events/{id}', { params: { id } });
          }
        },
      }),
    [],
  );
  const findMine = () => findChanges(form.values.value, read(before.value));
  /** Goes on from their version. */
  const takeTheirs = () => {
    if (!theirs.value) return;
    source.value = theirs.value;
    before.value = theirs.value;
    form.reset(read(theirs.value));
    theirs.value = undefined;
    void reload();
  };
  const keepMine = () => {
    const mine = findMine();
    takeTheirs();
    form.values.value = { ...form.values.value, ...mine };
    document.querySelector<HTMLFormElement>('#event')?.requestSubmit();
  };
  return (
    <Drawer
      title={texts.editEvent}
      onClose={onDone}
      footer={
        <>
          <Button
            kind="primary"
            type="submit"
            form="event"
            isBusy={form.isBusy.value}
            disabled={!form.isChanged.value}
          >
            {texts.save}
          </Button>
          <Button kind="ghost" onClick={() => leave(onDone)}>
            {texts.cancel}
          </Button>
        </>
      }
    >
      {theirs.value && (
        <Conflict
          text={texts.conflict}
          labels={eventFormTexts.fields}
          mine={toShown(findMine(), form.values.value)}
          theirs={toShown(read(theirs.value), read(theirs.value))}
          keepMine={keepMine}
          keepTheirs={takeTheirs}
        />
      )}
      <EditForm id="event" form={form} of={texts.thisEvent}>
        {start === undefined ? <EventFields form={form} /> : <OccurrenceFields form={form} />}
      </EditForm>
    </Drawer>
  );
};
