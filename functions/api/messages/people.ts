import { readUsers } from '../../../shared/users/person.ts';
import type { FoundMessage, StoredMessage } from './message.ts';
import { maxRecipients } from './recipients.ts';

/** Someone of a conversation, by the current name. */
export type Participant = FoundMessage['sender'];

/**
 * Returns the other people of a user's conversation with those of another message, in the order in which they came. Of more than a
 * reply reaches, those who came first make room.
 */
export const addPeople = (
  userId: number,
  known: readonly number[],
  { senderId, recipients }: Pick<StoredMessage, 'senderId' | 'recipients'>,
): readonly number[] => {
  const named = new Set([senderId, ...recipients.map(({ id }) => id)]);
  named.delete(userId);
  const all = [...new Set([...known, ...named])];
  let excess = all.length - maxRecipients;
  return all.filter((id) => named.has(id) || excess-- <= 0);
};

/**
 * Names the other people of conversations. Who was deleted has the name in the messages given, and is left out if they have none.
 */
export const nameParticipants = async (
  people: readonly (readonly number[])[],
  messages: readonly FoundMessage[],
): Promise<readonly (readonly Participant[])[]> => {
  const named = new Map<number, Participant>();
  for (const { message, sender } of messages) {
    for (const { avatar = null, ...one } of message.recipients)
      named.set(one.id, { ...one, avatar });
    named.set(sender.id, sender);
  }
  const unnamed = people.flat().filter((id) => !named.has(id));
  for (const [id, user] of await readUsers(unnamed)) {
    if (user) named.set(id, { id, name: user.name, avatar: user.avatar ?? null });
  }
  return people.map((ids) => ids.flatMap((id) => named.get(id) ?? []));
};
