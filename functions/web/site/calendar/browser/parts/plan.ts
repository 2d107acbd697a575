import { computed } from '@preact/signals';
import { compareNames } from '../../../../../../shared/text/sort-name.ts';
import { placeInLanes } from '../../layout/lanes.ts';
import { toSpan } from '../../layout/spans.ts';
import { events, type Occurrence, zone } from './state.ts';

/** The shown events with their days, in the order of their starts. */
export const placed = computed(() =>
  (events.data.value ?? []).map((event) => ({ event, ...toSpan(event, zone) })),
);

const compare = (one: Occurrence, other: Occurrence): number =>
  Number(other.allDay) - Number(one.allDay) ||
  one.start.localeCompare(other.start) ||
  compareNames(one.title, other.title);

/** Returns the bars of a row of days by day and lane. */
export const listBars = (days: readonly string[]) =>
  placeInLanes(
    placed.value.filter(({ isBar }) => isBar),
    days,
  );

const ofDay = (day: string) =>
  placed.value.filter(({ first, last }) => first <= day && last >= day);

/** Returns the events of a day that are no bars, those that begin earlier first. */
export const listTimed = (day: string): readonly Occurrence[] =>
  ofDay(day)
    .filter(({ isBar }) => !isBar)
    .map(({ event }) => event)
    .toSorted(compare);

/** Returns all events of a day. */
export const listDay = (day: string): readonly Occurrence[] =>
  ofDay(day)
    .map(({ event }) => event)
    .toSorted(compare);
