import { url } from '../parts/state.ts';

/** Opens something beside the calendar. */
export const openBeside = (open: number | 'new' | 'feed', start?: string, end?: string): void => {
  const how = url.view.value.open === undefined ? 'push' : 'replace';
  url.change({ open, start, end }, how);
};

interface EventPlace {
  readonly id: number;
  readonly start?: string | null | undefined;
}

/** Opens an event, or the occurrence of it that the rule starts at `start`. */
export const openEvent = ({ id, start }: EventPlace): void => openBeside(id, start ?? undefined);

interface NewTimes {
  readonly start: string;
  readonly end: string;
}

/** Opens the form of a new event. The times are instants, or dates with an exclusive end for an all-day event. */
export const openNewEvent = ({ start, end }: NewTimes): void => openBeside('new', start, end);
