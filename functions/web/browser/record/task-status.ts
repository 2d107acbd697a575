import type { Data } from '../client/endpoints.ts';
import { api } from '../shell/api.ts';

/** An open task, or one occurrence of a recurring one. */
export type Task = Data<'GET /api/dashboard/tasks'>[number];

/** Returns what identifies a task among others. */
export const toTaskKey = ({ id, occurrenceStart }: Task): string =>
  occurrenceStart === null ? String(id) : `${id}-${occurrenceStart}`;

/** Sets the status of a task; of a recurring one, only that of this occurrence. @throws ApiError */
export const setStatus = async (
  { id, occurrenceStart }: Pick<Task, 'id' | 'occurrenceStart'>,
  status: Task['status'],
): Promise<void> => {
  const body = { status };
  if (occurrenceStart === null) {
    await api.call('PUT /api/calendar/events/{id}', { params: { id }, body });
  } else {
    const params = { id, start: occurrenceStart };
    await api.call('PUT /api/calendar/events/{id}/occurrences/{start}', { params, body });
  }
};
