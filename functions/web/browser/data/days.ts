import { dateLanguage } from '../shell/preferences.ts';
import { dayTexts as texts } from './texts.ts';

/** What happened on one day, in the viewer’s time zone. */
export interface Day<Item> {
  /** The day, such as `2026-11-23`. */
  readonly day: string;
  readonly label: string;
  readonly items: readonly Item[];
}

const two = (value: number): string => String(value).padStart(2, '0');

const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const labelOf = (date: Date, now: Date): string => {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (dayOf(date) === dayOf(now)) return texts.today;
  if (dayOf(date) === dayOf(yesterday)) return texts.yesterday;
  return date.toLocaleDateString(dateLanguage.read(), { dateStyle: 'full' });
};

/** Groups items by day, in their order. */
export const groupByDay = <Item extends { readonly createdAt: string }>(
  items: readonly Item[],
  now = new Date(),
): readonly Day<Item>[] => {
  const days = new Map<string, { date: Date; items: Item[] }>();
  for (const item of items) {
    const date = new Date(item.createdAt);
    const day = days.get(dayOf(date)) ?? { date, items: [] };
    day.items.push(item);
    days.set(dayOf(date), day);
  }
  return [...days].map(([day, { date, items: ofDay }]) => ({
    day,
    label: labelOf(date, now),
    items: ofDay,
  }));
};
