import { describeKeys, type KeyRow } from '../../../../browser/shell/page-keys.ts';
import { may } from '../../../../browser/shell/session.ts';
import { mayAct } from '../../../../browser/shell/single-keys.ts';
import { calendarTexts as texts } from '../../texts.ts';
import { addDays } from '../../time/days.ts';
import type { Mode } from '../../view.ts';
import { openNewEvent } from '../event/open.ts';
import { move, moveDay } from './moving.ts';
import { date, url, view } from './state.ts';

const modeKeys: Readonly<Record<string, Mode>> = { m: 'month', w: 'week', d: 'day', a: 'agenda' };

const listKeys = (): readonly KeyRow[] => [
  [texts.today, ['T']],
  ...Object.entries(modeKeys).map(
    ([key, mode]): KeyRow => [texts.modes[mode], [key.toUpperCase()]],
  ),
  [texts.keys.nextDay, ['→']],
  [texts.keys.previousDay, ['←']],
  [texts.keys.next, ['Page Down']],
  [texts.keys.previous, ['Page Up']],
  ...(may('calendar:create') ? [[texts.newEvent, ['↵']] as const] : []),
];

/** Returns how many days an arrow moves; a week up or down in the month only. */
const getDays = (key: string): number | undefined => {
  if (key === 'ArrowLeft') return -1;
  if (key === 'ArrowRight') return 1;
  if (view.value.mode !== 'month') return undefined;
  if (key === 'ArrowUp') return -7;
  return key === 'ArrowDown' ? 7 : undefined;
};

/** Whether a key is for the calendar: the focus is on a day of it, or nowhere. */
const isOnDay = (target: HTMLElement): boolean =>
  target.matches('.num, [data-date], .hours, main, body');

const act = (key: string, target: HTMLElement): boolean => {
  const mode = modeKeys[key];
  if (mode) url.change({ mode }, 'push');
  else if (key === 't') url.change({ date: undefined });
  else if (key === 'PageUp') move(-1);
  else if (key === 'PageDown') move(1);
  else if (!isOnDay(target)) return false;
  else if (key === 'Enter' && may('calendar:create')) {
    openNewEvent({ start: date.value, end: addDays(date.value, 1) });
  } else {
    const days = getDays(key);
    if (days === undefined) return false;
    moveDay(days);
  }
  return true;
};

/** The last `g`, after which a letter opens another page. ms. */
let gAt = Number.NEGATIVE_INFINITY;
const sequenceMs = 1_500;

/** Starts the keys of the calendar: `t` today, `m w d a` views, arrows days, Page Up and Page Down periods, Enter a new event. */
export const startShortcuts = (): void => {
  describeKeys(listKeys());
  addEventListener(
    'keydown',
    (event) => {
      const { key, target } = event;
      if (!(target instanceof HTMLElement) || target.closest('dialog, [popover]') || !mayAct(event))
        return;
      const isSecond = event.timeStamp - gAt < sequenceMs;
      gAt = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (isSecond || !act(key, target)) return;
      event.preventDefault();
    },
    { capture: true },
  );
};
