import { firstName } from '../../../../browser/data/format.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { messagesTexts as texts } from '../../texts.ts';
import type { Message } from './message-list.ts';

/** Someone in a conversation. */
export interface Person {
  readonly id: number;
  readonly name: string;
}

/** Returns whether someone is the user. */
export const isMe = ({ id }: { readonly id: number }): boolean => id === signedIn?.user.id;

/** Returns whether the user has written a message. */
export const isOwn = ({ sender }: Message): boolean => isMe(sender);

/** Returns the other people of a message, its sender first. */
export const listOthers = ({ sender, to }: Message): readonly Person[] => {
  const all = [sender, ...to].filter((one) => !isMe(one));
  return [...new Map(all.map((one) => [one.id, one])).values()];
};

/** Returns the name of the sender as the conversation shows it. */
export const senderName = (message: Message): string =>
  isOwn(message) ? texts.you : message.sender.name;

/** Names the others of a conversation in a row: one by the whole name. */
export const nameOthers = (people: readonly Person[]): string => {
  const names = people.map(({ name }) => name);
  if (names.length === 0) return texts.you;
  return names.length === 1 ? names.join() : names.map(firstName).join(', ');
};
