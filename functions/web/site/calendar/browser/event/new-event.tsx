import { useMemo } from 'preact/hooks';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { FormFooter } from '../../../../browser/record/form-footer.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { toLocal, writeLocal } from '../../time/local.ts';
import { close, date, now, reload, today, zone } from '../parts/state.ts';
import { EventFields } from './form-fields.tsx';
import { eventTexts as texts } from './texts.ts';
import { type EventValues, eventRules, toBody, toTimeValues } from './values.ts';

const hourMs = 3_600_000;

/** The next full hour, on the day that the calendar shows. */
const nextHour = () => {
  const at = (Math.floor(toLocal(new Date(now.peek()).toISOString(), zone) / hourMs) + 1) * hourMs;
  const day = date.peek() === today.peek() ? writeLocal(at).slice(0, 10) : date.peek();
  const [start, end] = [at, at + hourMs].map((time) => writeLocal(time).slice(11));
  const isOverMidnight = end === '00:00';
  return {
    day,
    startTime: isOverMidnight ? '22:00' : start,
    endTime: isOverMidnight ? '23:00' : end,
  };
};

const toInitial = (start: string | undefined, end: string | undefined): EventValues => {
  const { day, startTime = '', endTime = '' } = nextHour();
  const times =
    start === undefined
      ? { isAllDay: false, start: day, startTime, end: day, endTime, timezone: zone }
      : toTimeValues(start, end ?? start, zone);
  return {
    ...(times.isAllDay ? { ...times, startTime, endTime } : times),
    title: '',
    type: 'meeting',
    rrule: '',
    location: '',
    description: '',
    attendees: [],
    reminders: [],
    color: '',
    priority: 'medium',
    status: 'pending',
  };
};

interface NewEventProps {
  /** The times: instants, or dates with an exclusive end for an all-day event. */
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** The form of a new event. */
export const NewEvent = ({ start, end }: NewEventProps) => {
  const form = useMemo(() => {
    // A lost response may be of a created event: what is sent again has the same key, what is changed another.
    let key = crypto.randomUUID();
    let sent = '';
    const initial = toInitial(start, end);
    const created = createForm<EventValues>({
      initial,
      rules: eventRules,
      send: async (values) => {
        const body = { ...toBody(values, values), title: values.title.trim() };
        const text = JSON.stringify(body);
        if (sent !== '' && text !== sent) key = crypto.randomUUID();
        sent = text;
        await api.call('POST /api/calendar/events', { body, idempotencyKey: key });
        created.reset(initial);
        toast({ text: texts.created });
        close();
        await reload();
      },
    });
    return created;
  }, []);
  return (
    <Drawer
      isNew
      title={texts.newEvent}
      onClose={close}
      footer={<FormFooter id="event" form={form} submit={texts.create} onClose={close} />}
    >
      <EditForm id="event" form={form} of={texts.theNewEvent}>
        <EventFields form={form} />
      </EditForm>
    </Drawer>
  );
};
