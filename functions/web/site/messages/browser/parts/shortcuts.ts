import { describeKeys } from '../../../../browser/shell/page-keys.ts';
import { commandKey } from '../../../../browser/shell/platform.ts';
import { mayAct } from '../../../../browser/shell/single-keys.ts';
import { messagesTexts as texts } from '../../texts.ts';
import { markUnread } from './conversation.ts';
import { isOpen, rows } from './conversations.ts';
import { focusConversation } from './list.tsx';
import { focusReply, hasChoice, replyToAll } from './reply-target.ts';
import { view } from './url.ts';

/** The position that arrows move from: the focused conversation, or the open one. */
const findPosition = (): number => {
  const focused = document.activeElement?.closest<HTMLElement>('[data-at]');
  if (focused) return Number(focused.dataset['at']);
  return rows.value?.findIndex(isOpen) ?? -1;
};

/** Where keys belong to something else. */
const others = 'dialog, [role=menu], .inbox, .seg';

/** Starts the keys of the page: arrows move, `r` replies to whom is shown, `a` to all, `u` marks as unread. */
export const startKeys = (): void => {
  describeKeys([
    [texts.next, ['↓']],
    [texts.previous, ['↑']],
    [texts.reply, ['R']],
    [texts.replyAll, ['A']],
    [texts.markUnread, ['U']],
    [texts.send, [commandKey, '↵']],
  ]);
  addEventListener('keydown', (event) => {
    if (!mayAct(event)) return;
    const { target, key } = event;
    if (target instanceof HTMLElement && target.closest(others)) return;
    const isInLog = target instanceof HTMLElement && target.closest('.talk') !== null;
    if (key.length === 1 && view.value.open === undefined) return;
    if (key === 'ArrowDown' && !isInLog) focusConversation(findPosition() + 1);
    else if (key === 'ArrowUp' && !isInLog) focusConversation(Math.max(0, findPosition() - 1));
    else if (key === 'r') focusReply();
    else if (key === 'a' && hasChoice.value) replyToAll();
    else if (key === 'u') void markUnread();
    else return;
    event.preventDefault();
  });
};
