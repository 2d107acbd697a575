import { showFailure } from '../../../../browser/shell/feedback.ts';
import { calendarTexts as texts } from '../../texts.ts';
import { changeEvent } from '../event/change.ts';
import { type Occurrence, reload, showChanged } from './state.ts';

/** Shows an event at other times at once, saves them, and puts it back if that is refused or canceled. */
export const moveEvent = async (
  event: Occurrence,
  times: { readonly start: string; readonly end: string },
): Promise<void> => {
  const { start, end } = event;
  if (start === times.start && end === times.end) return;
  showChanged(event, times);
  try {
    await changeEvent({ event, ...times });
    await reload();
  } catch (error) {
    showChanged(event, { start, end });
    // Without a reason, the user has changed their mind.
    const reason = error instanceof Error ? error.message : '';
    if (reason === '') return;
    showFailure(texts.notMoved(event.title, reason), () => moveEvent(event, times));
  }
};
