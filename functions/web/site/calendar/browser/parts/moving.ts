import { afterRendering } from '../../../../browser/after-rendering.ts';
import { addDays, addMonths } from '../../time/days.ts';
import { date, url, view } from './state.ts';

const steps = { week: 7, day: 1, agenda: 30 } as const;

/** Shows the period that many steps later. */
export const move = (count: number): void => {
  const { mode } = view.value;
  const next =
    mode === 'month' ? addMonths(date.value, count) : addDays(date.value, count * steps[mode]);
  url.change({ date: next });
};

/** Chooses the day that many days later, and moves the focus to it. */
export const moveDay = (count: number): void => {
  const next = addDays(date.value, count);
  url.change({ date: next });
  afterRendering(() =>
    document
      .querySelector<HTMLElement>(`[data-day="${next}"] .num, [data-date="${next}"]`)
      ?.focus(),
  );
};
