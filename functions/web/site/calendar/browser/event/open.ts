import { url } from '../parts/state.ts';

/** Opens an event, or the occurrence of it that the rule starts at `start`. */
export const openEvent = ({ id, start }: { readonly id: number; readonly start?: string }): void =>
  url.change({ open: id, start, end: undefined }, 'push');

/** Opens the form of a new event. The times are instants, or dates with an exclusive end for an all-day event. */
export const openNewEvent = ({
  start,
  end,
}: {
  readonly start: string;
  readonly end: string;
}): void => url.change({ open: 'new', start, end }, 'push');
