import { lazily } from '../../../../browser/components/lazily.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Agenda } from './agenda.tsx';
import { formatPeriod } from './formats.ts';
import { Hours } from './hours.tsx';
import { Month } from './month.tsx';
import { date, days, events, reload, view } from './state.ts';
import { Toolbar } from './toolbar.tsx';

const EventPanel = lazily(async () => (await import('../event/panel.tsx')).EventPanel);

const Events = () => {
  const { mode } = view.value;
  const { main, rest } = formatPeriod(date.value);
  const label = `${main} ${rest}`;
  if (mode === 'month') return <Month label={label} />;
  if (mode === 'agenda') return <Agenda days={days.value} />;
  return <Hours key={mode} label={label} />;
};

/** The calendar: the events of a period, and beside them what is open. */
export const Calendar = () => {
  const { open } = view.value;
  return (
    <div class={open === undefined ? undefined : 'split'}>
      <div class="cal">
        <Toolbar />
        {events.failure.value && (
          <div class="in-card">
            <Failure error={events.failure.value} again={reload} />
          </div>
        )}
        <div class="shown" aria-busy={events.data.value === undefined && !events.failure.value}>
          <Events />
        </div>
      </div>
      {open !== undefined && <EventPanel />}
    </div>
  );
};
