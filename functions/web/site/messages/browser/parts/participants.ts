import { formatList } from '../../../../browser/data/format.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { messagesTexts as texts } from '../../texts.ts';
import type { Message } from './message-list.ts';

/** Someone in a conversation. */
export interface Person {
  readonly id: number;
  readonly name: string;
}

const isMe = ({ id }: { readonly id: number }): boolean => id === signedIn?.user.id;

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

const firstName = (name: string): string => name.split(/\s/)[0] ?? name;

/** Names the others in a line: the first by the whole name. */
export const nameOthers = (message: Message): string => {
  const [first, ...rest] = listOthers(message).map(({ name }) => name);
  if (first === undefined) return texts.you;
  return [first, ...rest.map(firstName)].join(', ');
};

/** Says who takes part. */
export const describePeople = (message: Message): string => {
  const others = listOthers(message).map(({ name }) => name);
  return others.length === 0 ? texts.onlyYou : texts.youAnd(formatList(others));
};
