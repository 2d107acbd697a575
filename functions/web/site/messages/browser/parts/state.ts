import { effect, untracked } from '@preact/signals';
import { polledChanges } from '../../../../browser/shell/updates.ts';
import { loadConversation, loadNewMessages, loadUntilGoal, messages } from './conversation.ts';
import { list, loadNew } from './conversations.ts';
import { onChange, view } from './url.ts';

/** Loads what the address says, and after each change of it, what has changed; and what arrives. */
export const start = (): void => {
  onChange((next, before) => {
    if (next.show !== before.show || next.search !== before.search) {
      list.items.value = undefined;
      void list.load(1);
    }
    if (next.open === before.open) {
      if (next.at !== before.at) void loadUntilGoal();
      return;
    }
    messages.items.value = undefined;
    void loadConversation();
  });
  void list.load(1);
  if (view.value.open !== undefined) void loadConversation();
  effect(() => {
    if (polledChanges.value === 0) return;
    // What is read is marked in the new list.
    untracked(() => void loadNew().then(loadNewMessages));
  });
};
