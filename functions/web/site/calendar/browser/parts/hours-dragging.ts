import { signal } from '@preact/signals';
import { may } from '../../../../browser/shell/session.ts';
import { moveTo, toTimes } from '../../layout/shifts.ts';
import { dayMinutes, toSegment } from '../../layout/spans.ts';
import { countDays } from '../../time/days.ts';
import { toLocal } from '../../time/zone.ts';
import { openNewEvent } from '../event/open.ts';
import { isChangeable } from './event-chip.tsx';
import { moveEvent } from './moved-event.ts';
import { canDrag, findAt, follow } from './pointer.ts';
import { findEvent, type Occurrence, zone } from './state.ts';

/** The hours that a drag would give, which the column of the day shows. */
interface Dragged {
  readonly day: string;
  /** Minutes since midnight. */
  readonly from: number;
  readonly to: number;
}

export const dragged = signal<Dragged | undefined>(undefined);

const stepMinutes = 15;
const newMinutes = 60;

/** Returns the time of day at the pointer. */
const minuteAt = (column: HTMLElement, { clientY }: PointerEvent): number => {
  const { top, height } = column.getBoundingClientRect();
  const minute = ((clientY - top) / height) * dayMinutes;
  return Math.min(Math.max(minute, 0), dayMinutes);
};

const round = (minute: number): number => Math.round(minute / stepMinutes) * stepMinutes;
const floor = (minute: number): number => Math.floor(minute / stepMinutes) * stepMinutes;

const end = () => {
  dragged.value = undefined;
};

/** Creates an event over the hours that are dragged, or of an hour at a click. */
const create = (down: PointerEvent, column: HTMLElement, day: string): void => {
  const anchor = floor(Math.min(minuteAt(column, down), dayMinutes - stepMinutes));
  const open = (from: number, to: number) => openNewEvent(toTimes(day, from, to, zone));
  const hoursAt = (at: PointerEvent): Dragged => {
    const other = round(minuteAt(column, at));
    const from = Math.min(anchor, other);
    return { day, from, to: Math.max(anchor + stepMinutes, other) };
  };
  follow(down, {
    move: (at) => {
      dragged.value = hoursAt(at);
    },
    end,
    drop: (at) => {
      const { from, to } = hoursAt(at);
      open(from, to);
    },
    click: () => open(anchor, Math.min(anchor + newMinutes, dayMinutes)),
  });
};

/** Moves the end of an event. */
const resize = (down: PointerEvent, column: HTMLElement, day: string, event: Occurrence): void => {
  const from = toSegment(event, day, zone)?.from ?? 0;
  const hoursAt = (at: PointerEvent): Dragged => ({
    day,
    from,
    to: Math.max(round(minuteAt(column, at)), from + stepMinutes),
  });
  follow(down, {
    move: (at) => {
      dragged.value = hoursAt(at);
    },
    end,
    drop: (at) => {
      const { end: until } = toTimes(day, from, hoursAt(at).to, zone);
      void moveEvent(event, { start: event.start, end: until });
    },
  });
};

/** Moves an event to another time, also of another day. */
const move = (down: PointerEvent, column: HTMLElement, day: string, event: Occurrence): void => {
  const segment = toSegment(event, day, zone);
  const start = toLocal(Date.parse(event.start), zone);
  const length = Math.round((Date.parse(event.end) - Date.parse(event.start)) / 60_000);
  // The start may be on the day before.
  const startHere = start.minute - countDays(start.day, day) * dayMinutes;
  const grabbed = minuteAt(column, down) - startHere;
  const timesAt = (at: PointerEvent) => {
    const over = findAt(at, '.col') ?? column;
    const minute = round(minuteAt(over, at) - grabbed);
    return { day: over.dataset['day'] ?? day, minute };
  };
  follow(down, {
    move: (at) => {
      const { day: over, minute } = timesAt(at);
      const from = Math.max(minute, 0);
      dragged.value = { day: over, from, to: Math.max(minute + length, from + stepMinutes) };
    },
    end,
    drop: (at) => {
      if (segment) void moveEvent(event, moveTo(event, timesAt(at), zone));
    },
  });
};

/** Starts to move or resize the event under the pointer, or to create one. */
export const startDrag = (down: PointerEvent): void => {
  if (!canDrag(down)) return;
  const column = down.currentTarget as HTMLElement;
  const target = down.target as HTMLElement;
  const day = column.dataset['day'] ?? '';
  const entry = target.closest<HTMLElement>('.ev[data-key]');
  if (!entry) {
    if (may('calendar:create')) create(down, column, day);
    return;
  }
  const event = findEvent(entry.dataset['key']);
  if (!event || !isChangeable(event) || target.matches('input')) return;
  if (target.matches('[data-edge]')) resize(down, column, day, event);
  else move(down, column, day, event);
};
