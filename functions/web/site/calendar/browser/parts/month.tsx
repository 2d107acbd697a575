import { may } from '../../../../browser/shell/session.ts';
import type { Placed } from '../../layout/lanes.ts';
import { calendarTexts as texts } from '../../texts.ts';
import { addDays } from '../../time/days.ts';
import { openNewEvent } from '../event/open.ts';
import { Agenda } from './agenda.tsx';
import { Bars } from './bar.tsx';
import { EventChip } from './event-chip.tsx';
import { formatDate, formatWeekday } from './formats.ts';
import { startMove } from './month-dragging.ts';
import { listBars, listTimed } from './plan.ts';
import { date, days, keyOf, type Occurrence, today, url } from './state.ts';

/** How many lines a day has. */
const maxLines = 3;

const narrow = matchMedia('(max-width: 45rem)');

const countLines = (day: string, bars: ReadonlyMap<string, readonly unknown[]>): number => {
  const count = (bars.get(day)?.length ?? 0) + listTimed(day).length;
  return count > maxLines ? maxLines - 1 : count;
};

interface DayProps {
  readonly day: string;
  readonly week: readonly string[];
  readonly lanes: ReadonlyMap<string, readonly (Placed<Occurrence> | undefined)[]>;
}

const Day = ({ day, week, lanes }: DayProps) => {
  const bars = lanes.get(day) ?? [];
  const timed = listTimed(day);
  const lines = [...bars, ...timed];
  const shown = countLines(day, lanes);
  const count = lines.filter(Boolean).length;
  const hidden = lines.slice(shown).filter(Boolean).length;
  const isOff = day.slice(0, 7) !== date.value.slice(0, 7);
  const classes = [
    'day',
    isOff && 'off',
    day === today.value && 'today',
    day === date.value && 'on',
  ];
  const select = () =>
    url.change({ date: day, ...(!narrow.matches && { mode: 'day' as const }) }, 'push');
  const create = (event: MouseEvent) => {
    if (event.target !== event.currentTarget) return;
    if (narrow.matches) url.change({ date: day });
    else if (may('calendar:create')) openNewEvent({ start: day, end: addDays(day, 1) });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the day does the same
    <td
      class={classes.filter(Boolean).join(' ')}
      data-day={day}
      onClick={create}
      onPointerDown={startMove}
    >
      <button
        type="button"
        class="num"
        tabIndex={day === date.value ? 0 : -1}
        aria-current={day === today.value ? 'date' : undefined}
        aria-label={texts.dayWith(formatDate(day), count)}
        onClick={select}
      >
        {Number(day.slice(8))}
      </button>
      <Bars day={day} row={week} lanes={lanes} countShown={(other) => countLines(other, lanes)} />
      {timed.slice(0, Math.max(0, shown - bars.length)).map((event) => (
        <EventChip key={keyOf(event)} event={event} isBar={false} />
      ))}
      {hidden > 0 && (
        <button
          type="button"
          class="more"
          aria-label={texts.moreOn(hidden, formatDate(day))}
          onClick={() => url.change({ date: day, mode: 'day' }, 'push')}
        >
          {texts.more(hidden)}
        </button>
      )}
    </td>
  );
};

/** A month by weeks. On phones, the events of the chosen day are below. */
export const Month = ({ label }: { readonly label: string }) => {
  const weeks = Array.from({ length: days.value.length / 7 }, (_, at) =>
    days.value.slice(at * 7, at * 7 + 7),
  );
  return (
    <>
      <table class="month" aria-label={label}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} class="wd" scope="col">
                {formatWeekday(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => {
            const lanes = listBars(week);
            return (
              <tr key={week[0]}>
                {week.map((day) => (
                  <Day key={day} day={day} week={week} lanes={lanes} />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <div class="below">
        <Agenda days={[date.value]} />
      </div>
    </>
  );
};
