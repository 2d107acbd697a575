import { calendarTexts as texts } from '../../texts.ts';
import { isChangeable, listClasses, open, TaskBox } from './event-chip.tsx';
import { formatDate, formatHours } from './formats.ts';
import { listDay } from './plan.ts';
import { events, keyOf, today } from './state.ts';

interface AgendaProps {
  readonly days: readonly string[];
}

const Day = ({ day }: { readonly day: string }) => (
  <section class="card agenda" aria-label={formatDate(day)}>
    <h3>
      {day === today.value && <b>{texts.today}</b>} {formatDate(day)}
    </h3>
    <ul class="list">
      {listDay(day).map((event) => (
        <li
          key={keyOf(event)}
          class={listClasses(event, false)}
          style={event.color ? { '--own': event.color } : undefined}
        >
          {event.type === 'task' && isChangeable(event) && <TaskBox event={event} />}
          <button type="button" onClick={() => open(event)}>
            <span class="rail" />
            <span class="grow">
              <b class="cut blk" dir="auto">
                {event.title}
              </b>
              <span class="tiny mute cut blk" dir="auto">
                {[formatHours(event), event.location].filter(Boolean).join(' · ')}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  </section>
);

/** The events of these days in a list by day. Days without events are left out, unless there is one only. */
export const Agenda = ({ days }: AgendaProps) => {
  if (events.data.value === undefined) return null;
  const shown = days.filter((day) => listDay(day).length > 0);
  if (shown.length === 0) {
    return <p class="pad mute">{days.length === 1 ? texts.noEvents : texts.noEventsSoon}</p>;
  }
  return (
    <div class="pad agendas">
      {shown.map((day) => (
        <Day key={day} day={day} />
      ))}
    </div>
  );
};
