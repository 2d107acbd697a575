import { isActive, type StoredUser } from '../../../shared/auth/user.ts';
import { type ErrorDetail, invalidInput } from '../../../shared/runtime/errors.ts';
import {
  type Author,
  getCurrentName,
  maxNamed,
  type PresentUsers,
  readUsers,
} from '../../../shared/users/person.ts';
import type { StoredMessage } from './message.ts';

/** Each recipient takes one of the 100 items of a transaction. */
export const maxRecipients = 50;

/** User ids by the field of the body that contains them. */
export type RecipientFields = Readonly<Record<string, readonly number[]>>;

const listProblems = (ids: readonly number[], users: PresentUsers): string[] => {
  const missing = ids.filter((id) => !users.get(id));
  const inactive = ids.filter((id) => {
    const user = users.get(id);
    return user && !isActive(user);
  });
  return [
    ...(missing.length > 0 ? [`contains unknown users: ${missing.join(', ')}`] : []),
    ...(inactive.length > 0 ? [`contains inactive users: ${inactive.join(', ')}`] : []),
  ];
};

const assertAllActive = (fields: RecipientFields, users: PresentUsers): void => {
  const details: ErrorDetail[] = Object.entries(fields).flatMap(([field, ids]) =>
    listProblems([...new Set(ids)], users).map((message) => ({ field, message })),
  );
  if (details.length > 0) throw invalidInput(details);
};

const listActive = (users: PresentUsers): readonly StoredUser[] =>
  [...users.values()].flatMap((user) => (user && isActive(user) ? [user] : []));

/** Returns the sender of a message; a deleted one has the name at the time of sending. */
export const getSender = (users: PresentUsers, { senderId, senderName }: StoredMessage): Author =>
  getCurrentName(users, { id: senderId, name: senderName });

/** Adds the current names of recipients to messages. Deleted users keep the name at the time of sending. */
export const withCurrentNames = async (
  messages: readonly (StoredMessage | undefined)[],
): Promise<(StoredMessage | undefined)[]> => {
  const all = messages.flatMap((message) => message?.recipients.map(({ id }) => id) ?? []);
  const ids = [...new Set(all)].slice(0, maxNamed);
  const users = await readUsers(ids);
  return messages.map(
    (message) =>
      message && {
        ...message,
        recipients: message.recipients.map((recipient) => getCurrentName(users, recipient)),
      },
  );
};

/**
 * Returns the recipients of a message, each once.
 * @throws AppError VALIDATION_ERROR, listing unknown and inactive users by field
 */
export const readRecipients = async (fields: RecipientFields): Promise<readonly StoredUser[]> => {
  const users = await readUsers(Object.values(fields).flat());
  assertAllActive(fields, users);
  return listActive(users);
};

/**
 * Returns the active recipients of a reply without recipients. Deleted and inactive users are skipped.
 * @throws AppError VALIDATION_ERROR as `readRecipients` if none is left
 */
export const readActiveRecipients = async (
  fields: RecipientFields,
): Promise<readonly StoredUser[]> => {
  const users = await readUsers(Object.values(fields).flat());
  const active = listActive(users);
  if (active.length === 0) assertAllActive(fields, users);
  return active;
};
