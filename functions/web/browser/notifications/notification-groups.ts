import { formatList } from '../data/format.ts';
import type { Notification } from './notification.ts';
import { notificationTexts as texts } from './texts.ts';

/** What a list shows in one place: one notification, or all of the messages of a conversation. Newest first, never empty. */
export type Group = readonly [latest: Notification, ...older: readonly Notification[]];

const toKey = ({ conversationId, id }: Notification): number => conversationId ?? id;

/** Returns what a group is known by in a list. */
export const keyOf = ([latest]: Group): number => toKey(latest);

/** Groups notifications by conversation, in the order of their newest. */
export const groupByConversation = (items: readonly Notification[]): readonly Group[] => {
  const groups = new Map<number, [Notification, ...Notification[]]>();
  for (const item of items) {
    const group = groups.get(toKey(item));
    if (group) group.push(item);
    else groups.set(toKey(item), [item]);
  }
  return [...groups.values()];
};

/** The most names in an entry. */
const maxNames = 3;

/** Names those who caused it, each once, the latest first. */
const nameSenders = (notifications: readonly Notification[]): string => {
  const senders = notifications.flatMap(({ sender }) =>
    sender ? [[sender.id, sender.name] as const] : [],
  );
  const names = [...new Map(senders).values()];
  if (names.length <= maxNames) return formatList(names);
  const shown = names.slice(0, maxNames - 1);
  return formatList([...shown, texts.otherPeople(names.length - shown.length)]);
};

/** Returns what happened and who did it: of several messages, how many; only the new ones if there are new ones. */
export const describe = (group: Group): string => {
  const unread = group.filter(({ read }) => !read);
  const told = unread.length > 0 ? unread : group;
  if (told.length > 1) return texts.sentMessages(nameSenders(told), told.length);
  const [{ title, sender, action } = group[0]] = told;
  return sender && action !== null ? texts.did(sender.name, action) : title;
};
