import { shiftDays } from '../../layout/shifts.ts';
import { countDays } from '../../time/days.ts';
import { isChangeable } from './event-chip.tsx';
import { moveEvent } from './moved-event.ts';
import { canDrag, findAt, follow } from './pointer.ts';
import { findEvent, zone } from './state.ts';

/** Moves an event to another day of the month. */
export const startMove = (down: PointerEvent): void => {
  const chip = (down.target as HTMLElement).closest<HTMLElement>('.ev[data-key]');
  // A bar is drawn over the days after its own.
  const from = findAt(down, '.day')?.dataset['day'] ?? '';
  const event = findEvent(chip?.dataset['key']);
  if (!canDrag(down) || !event || !isChangeable(event)) return;
  let over: HTMLElement | undefined;
  const show = (next: HTMLElement | undefined) => {
    over?.classList.remove('drop');
    over = next;
    over?.classList.add('drop');
  };
  follow(down, {
    move: (at) => show(findAt(at, '.day')),
    end: () => show(undefined),
    drop: (at) => {
      const to = findAt(at, '.day')?.dataset['day'];
      const days = to === undefined ? 0 : countDays(from, to);
      if (days !== 0) void moveEvent(event, shiftDays(event, days, zone));
    },
  });
};
