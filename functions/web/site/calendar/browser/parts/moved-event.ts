import { showFailure } from '../../../../browser/shell/feedback.ts';
import { calendarTexts as texts } from '../../texts.ts';
import { changeEvent } from '../event/reschedule.ts';
import { type Occurrence, showChanged } from './state.ts';

/** Shows an event at other times at once, saves them, and puts it back if that is refused or dismissed. */
export const moveEvent = async (
  event: Occurrence,
  times: { readonly start: string; readonly end: string },
): Promise<void> => {
  const { start, end } = event;
  if (start === times.start && end === times.end) return;
  showChanged(event, times);
  try {
    await changeEvent({ event, ...times });
  } catch (error) {
    showChanged(event, { start, end });
    if ((error as Error).name === 'AbortError') return;
    const retry = () => moveEvent(event, times);
    showFailure(texts.notMoved(event.title, (error as Error).message), retry);
  }
};
