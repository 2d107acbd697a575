import type { EventMove } from './change-times.tsx';

/**
 * Moves or resizes an event, and loads the shown ones again. Of a recurring one, it asks whether all move; those that
 * differ keep their distance from the others. Rejects with an `AbortError` if the question is dismissed, or with the
 * error if the change is refused.
 */
export const changeEvent = async (move: EventMove): Promise<void> =>
  (await import('./change-times.tsx')).changeEvent(move);
