import { api } from '../../../../browser/shell/api.ts';
import type { Occurrence } from '../parts/state.ts';

/** New times of an event: instants, or dates with an exclusive end for an all-day event. */
interface Change {
  readonly event: Occurrence;
  readonly start: string;
  readonly end: string;
}

/** Moves an event. @throws ApiError */
export const changeEvent = async ({ event, start, end }: Change): Promise<void> => {
  const body = { start, end, allDay: event.allDay };
  const { id, version: ifMatch } = event;
  await api.call('PUT /api/calendar/events/{id}', { params: { id }, body, ifMatch });
};
