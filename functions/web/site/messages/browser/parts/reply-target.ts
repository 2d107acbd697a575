import { computed, signal } from '@preact/signals';
import { people, shown } from './conversation.ts';
import { keepDraft, readDraft } from './drafts.ts';
import type { Message } from './message-list.ts';
import { isOwn, listOthers, type Person } from './participants.ts';
import { view } from './url.ts';

/** A message that is answered to its sender alone; an own one to whom it went. */
interface Target {
  readonly messageId: number;
  readonly people: readonly Person[];
}

/** Whether a reply goes to everyone, or only to the people of one message. It stays as the user has chosen. */
export const replyChoice = signal<'all' | Target>('all');

const toTarget = (message: Message): Target => ({
  messageId: message.id,
  people: isOwn(message) ? listOthers(message) : [message.sender],
});

/** Whom a reply can go to instead of everyone: as chosen, or the sender of the newest message of someone else. */
export const target = computed<Target | undefined>(() => {
  if (replyChoice.value !== 'all') return replyChoice.value;
  const newest = shown.value?.find((message) => !isOwn(message));
  return newest && toTarget(newest);
});

/** Whether there is a choice. */
export const hasChoice = computed(() => people.value.length > 1);

/** Moves the focus to the field for a reply, which goes to whom it shows. */
export const focusReply = (): void => {
  document.querySelector<HTMLElement>('.write textarea')?.focus();
};

/** Chooses whom replies go to, with the draft of the open conversation. */
export const chooseTarget = (choice: 'all' | Target): void => {
  const { open } = view.value;
  if (open === undefined) return;
  replyChoice.value = choice;
  keepDraft(
    open,
    choice === 'all' ? { replyTo: null, to: [] } : { replyTo: choice.messageId, to: choice.people },
  );
};

/** Brings back what was chosen for a conversation. */
export const restoreTarget = (id: number): void => {
  const { replyTo, to } = readDraft(id);
  replyChoice.value = replyTo === null ? 'all' : { messageId: replyTo, people: to };
};

/** Begins a reply to one message. */
export const replyTo = (message: Message): void => {
  const chosen = toTarget(message);
  if (hasChoice.value) chooseTarget(chosen.people.length > 0 ? chosen : 'all');
  focusReply();
};

/** Begins a reply to all. */
export const replyToAll = (): void => {
  chooseTarget('all');
  focusReply();
};
