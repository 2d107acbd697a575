import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Column, placeInColumns } from '../../layout/columns.ts';
import { dayMinutes, toSegment } from '../../layout/spans.ts';
import { calendarTexts as texts } from '../../texts.ts';
import { toLocal } from '../../time/zone.ts';
import { Bars } from './bar.tsx';
import { isChangeable, listClasses, open, TaskBox } from './event-chip.tsx';
import { formatDate, formatHour, formatHours, formatMinutes, formatWeekday } from './formats.ts';
import { dragged, startDrag } from './hours-dragging.ts';
import { listBars, placed } from './plan.ts';
import { date, days, keyOf, now, type Occurrence, today, url, zone } from './state.ts';

const percent = (minutes: number): string => `${(minutes / dayMinutes) * 100}%`;

const Entry = ({ event, from, to, column, columns }: Column<Occurrence>) => {
  const name = `${event.title}, ${formatHours(event)}`;
  const style = {
    top: percent(from),
    height: percent(to - from),
    insetInlineStart: `${(column / columns) * 100}%`,
    width: `${100 / columns}%`,
    ...(event.color && { '--own': event.color }),
  };
  return (
    <div
      class={`${listClasses(event, false)}${to - from < 45 ? ' short' : ''}`}
      style={style}
      data-key={keyOf(event)}
    >
      {event.type === 'task' && <TaskBox event={event} />}
      <button type="button" title={name} onClick={() => open(event)}>
        <b dir="auto">{event.title}</b>
        <time dateTime={event.start}>
          <span>{formatHours(event)}</span>
        </time>
      </button>
      {isChangeable(event) && <span class="edge" data-edge />}
    </div>
  );
};

const Dragged = ({ day }: { readonly day: string }) => {
  const drag = dragged.value;
  if (!drag || drag.day !== day) return null;
  const style = {
    top: percent(drag.from),
    height: percent(Math.min(drag.to, dayMinutes) - drag.from),
  };
  return (
    <div class="ev meet ghost" style={style}>
      <time>{texts.draggedTo(formatMinutes(drag.from), formatMinutes(drag.to % dayMinutes))}</time>
    </div>
  );
};

const DayColumn = ({ day }: { readonly day: string }) => {
  const segments = placed.value.flatMap(({ event }) => toSegment(event, day, zone) ?? []);
  const current = toLocal(now.value, zone);
  return (
    <section class="col" data-day={day} aria-label={formatDate(day)} onPointerDown={startDrag}>
      {placeInColumns(segments).map((column) => (
        <Entry key={keyOf(column.event)} {...column} />
      ))}
      <Dragged day={day} />
      {current.day === day && <span class="now" style={{ top: percent(current.minute) }} />}
    </section>
  );
};

const hours = Array.from({ length: 23 }, (_, at) => (at + 1) * 60);

/** The hour that is at the top at first, with its label. */
const firstHour = 6.75;

const narrow = matchMedia('(max-width: 45rem)');

/** Shows the day, of a week that is wider than a phone. */
const showDay = (grid: HTMLElement, day: string): void => {
  const column = grid.querySelector(`[data-day="${day}"]`);
  const { width = 0 } = grid.querySelector('.scale')?.getBoundingClientRect() ?? {};
  if (!column) return;
  const { left } = column.getBoundingClientRect();
  grid.scrollBy({ left: left - grid.getBoundingClientRect().left - width, behavior: 'instant' });
};

/** Returns the first hour to show: on a phone, which shows few, one before now. */
const getFirstHour = (): number => {
  if (!narrow.matches || !days.value.includes(today.value)) return firstHour;
  return Math.max(toLocal(now.value, zone).minute / 60 - 1, 0);
};

/** Days by hours, with bars above for what takes whole days. */
export const Hours = ({ label }: { readonly label: string }) => {
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = grid.current;
    if (element)
      element.scrollTop =
        (element.querySelector('.col')?.clientHeight ?? 0) * (getFirstHour() / 24);
  }, []);
  const [first = ''] = days.value;
  const target = days.value.includes(today.value) ? today.value : first;
  useLayoutEffect(() => {
    if (grid.current && narrow.matches) showDay(grid.current, target);
  }, [target, date.value]);
  const bars = listBars(days.value);
  const count = days.value.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section ref={grid} class="hours" aria-label={label} tabIndex={0} style={{ '--days': count }}>
      <div class="head">
        <div class="corner" />
        {days.value.map((day) => (
          <div key={day} class={day === today.value ? 'wd today' : 'wd'}>
            {formatWeekday(day)}
            <button
              type="button"
              aria-label={formatDate(day)}
              aria-current={day === today.value ? 'date' : undefined}
              tabIndex={day === date.value ? 0 : -1}
              data-date={day}
              onClick={() => url.change({ date: day, mode: 'day' }, 'push')}
            >
              {Number(day.slice(8))}
            </button>
          </div>
        ))}
      </div>
      <div class="bars">
        <div class="corner">{texts.allDay}</div>
        {days.value.map((day) => (
          <div key={day} class="ad" data-day={day}>
            <Bars day={day} row={days.value} lanes={bars} />
          </div>
        ))}
      </div>
      <div class="body">
        <div class="scale" aria-hidden="true">
          {hours.map((minute) => (
            <span key={minute} style={{ top: percent(minute) }}>
              {formatHour(minute)}
            </span>
          ))}
        </div>
        {days.value.map((day) => (
          <DayColumn key={day} day={day} />
        ))}
      </div>
    </section>
  );
};
