import { findFocusedRow, focusShownRow } from '../../../../browser/data/rows.ts';
import { describeKeys } from '../../../../browser/shell/page-keys.ts';
import { mayAct } from '../../../../browser/shell/single-keys.ts';
import { notificationsTexts } from '../../texts.ts';
import { days, deletions, reading } from './state.ts';

const texts = notificationsTexts.keys;

/** Starts the keys of the list: `j` and `k` or the arrows move, `e` marks as read, Delete deletes. */
export const startEntryKeys = (): void => {
  describeKeys([
    [texts.next, ['J']],
    [texts.previous, ['K']],
    [texts.read, ['E']],
    [texts.delete, ['Del']],
  ]);
  addEventListener('keydown', (event) => {
    if (!mayAct(event)) return;
    const { target, key } = event;
    if (target instanceof HTMLElement && target.closest('dialog, .inbox')) return;
    const at = findFocusedRow();
    const shown = days.value.flatMap(({ groups }) => groups);
    const focused = shown[at];
    if ((key === 'j' || key === 'ArrowDown') && at < shown.length - 1) focusShownRow(at + 1);
    else if ((key === 'k' || key === 'ArrowUp') && at > 0) focusShownRow(at - 1);
    else if (key === 'e' && focused) void reading.mark(focused);
    else if (key === 'Delete' && focused) deletions.remove(focused);
    else return;
    event.preventDefault();
  });
};
