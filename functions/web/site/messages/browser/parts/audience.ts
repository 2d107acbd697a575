import { firstName, formatList } from '../../../../browser/data/format.ts';
import { talkTexts as texts } from '../../talk-texts.ts';
import type { Message } from './message-list.ts';
import { isMe, type Person } from './participants.ts';

/** A line names so many people, the user among them, and counts the others. */
const maxNamed = 4;

/** Splits names into those that a line has room for and the others. */
export const splitNames = <Named>(
  all: readonly Named[],
): { readonly named: readonly Named[]; readonly rest: readonly Named[] } => {
  const count = all.length > maxNamed ? maxNamed : all.length;
  return { named: all.slice(0, count), rest: all.slice(count) };
};

/** Names people in a sentence, and counts those for whom a line has no room. */
export const nameSome = (names: readonly string[]): string => {
  const { named, rest } = splitNames(names);
  return formatList(rest.length === 0 ? named : [...named, texts.others(rest.length)]);
};

/** Says who has a message that only a part of the conversation’s people have. */
export const describeAudience = (
  message: Message,
  people: readonly Person[],
): string | undefined => {
  const { sender, to } = message;
  const has = new Set([sender.id, ...to.map(({ id }) => id)]);
  if (people.every(({ id }) => has.has(id))) return undefined;
  const others = to.filter(({ id }) => id !== sender.id);
  const receivers = others.length > 0 ? others : to;
  const names = receivers.filter((one) => !isMe(one)).map(({ name }) => firstName(name));
  return texts.only(nameSome(receivers.some(isMe) ? [texts.onlyMe, ...names] : names));
};
