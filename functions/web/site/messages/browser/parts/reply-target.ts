import { computed, signal } from '@preact/signals';
import { shown } from './conversation.ts';
import type { Message } from './message-list.ts';
import { isOwn, listOthers, type Person } from './participants.ts';

/** Whether a reply goes to everyone, or to the sender of one message. */
export const replyChoice = signal<'all' | Message>('all');

/** The newest message, whose people a reply to all goes to. */
const newest = computed(() => shown.value?.[0]);

/** The message that a reply to one person answers: the chosen one, or the newest of someone else. */
export const answered = computed<Message | undefined>(() =>
  replyChoice.value === 'all'
    ? (shown.value?.find((message) => !isOwn(message)) ?? newest.value)
    : replyChoice.value,
);

/** Who gets a reply to all. */
export const everyone = computed<readonly Person[]>(() =>
  newest.value ? listOthers(newest.value) : [],
);

/** Moves the focus to the field for a reply. */
const focusReply = (): void => {
  document.querySelector<HTMLElement>('.write textarea')?.focus();
};

/** Begins a reply to the sender of a message; by default, of the newest one of someone else. */
export const replyTo = (message = answered.value): void => {
  if (!message) return;
  replyChoice.value = message;
  focusReply();
};

/** Begins a reply to all. */
export const replyToAll = (): void => {
  replyChoice.value = 'all';
  focusReply();
};
