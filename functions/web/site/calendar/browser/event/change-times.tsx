import { api } from '../../../../browser/shell/api.ts';
import { moveRule } from '../../rule/rule.ts';
import { isDate, toLocal, writeDate, writeLocal } from '../../time/local.ts';
import { type Occurrence, reload } from '../parts/state.ts';
import { records } from './record.ts';
import { askScope } from './scope.tsx';
import { eventTexts as texts } from './texts.ts';

/** New times of an event: instants, or dates with an exclusive end for an all-day event. */
export interface EventMove {
  readonly event: Occurrence;
  readonly start: string;
  readonly end: string;
}

const moveOccurrence = ({ event, start, end }: EventMove) =>
  api.call('PUT /api/calendar/events/{id}/occurrences/{start}', {
    params: { id: event.id, start: event.occurrenceStart ?? event.start },
    body: { start, end },
    ifMatch: event.version,
  });

const moveSingle = ({ event, start, end }: EventMove) =>
  api.call('PUT /api/calendar/events/{id}', {
    params: { id: event.id },
    body: { start, end, allDay: isDate(start) },
    ifMatch: event.version,
  });

/** Moves all occurrences by as much local time as this one, and gives them its length. */
const moveSeries = async ({ event, start, end }: EventMove) => {
  const { id, version, timezone: zone, allDay } = event;
  const series = await api.call('GET /api/calendar/events/{id}', { params: { id } });
  const to = toLocal(start, zone);
  const first = toLocal(series.start, zone);
  const next = first + to - toLocal(event.start, zone);
  const write = allDay ? writeDate : writeLocal;
  const [from, until] = [writeDate(first), writeDate(next)];
  const rrule =
    series.rrule !== null && from !== until
      ? moveRule(series.rrule, { from, to: until, zone })
      : undefined;
  return api.call('PUT /api/calendar/events/{id}', {
    params: { id },
    body: {
      start: write(next),
      end: write(next + toLocal(end, zone) - to),
      ...(rrule !== undefined && { rrule }),
    },
    ifMatch: version,
  });
};

/** Moves or resizes an event, and shows what is new. */
export const changeEvent = async (move: EventMove): Promise<void> => {
  const { event, start } = move;
  if (event.occurrenceStart === null) records.show(await moveSingle(move));
  else {
    if (isDate(start) !== event.allDay) throw new Error(texts.allDayTogether);
    const { title, occurrenceStart } = event;
    const question = { title: texts.moveTitle(title), action: texts.move, event, occurrenceStart };
    const scope = await askScope(question);
    if (!scope) throw new DOMException('Dismissed', 'AbortError');
    records.show(await (scope === 'this' ? moveOccurrence(move) : moveSeries(move)));
  }
  await reload();
};
