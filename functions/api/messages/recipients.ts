import { type ErrorDetail, invalidInput } from '../../../shared/runtime/errors.ts';
import {
  getCurrentName,
  maxNamed,
  type PresentUsers,
  readUsers,
} from '../../../shared/users/person.ts';
import type { StoredMessage } from './message.ts';

/** Each is one of the 100 items of a transaction. */
export const maxRecipients = 50;

/** The ids of users by the field of the body that names them. */
export type RecipientFields = Readonly<Record<string, readonly number[]>>;

const oneOf = (ids: readonly number[], one: string, many: string): string =>
  `has ${ids.join(', ')}: ${ids.length === 1 ? one : many}`;

const listProblems = (ids: readonly number[], users: PresentUsers): string[] => {
  const missing = ids.filter((id) => !users.get(id));
  const inactive = ids.filter((id) => users.get(id) && users.get(id)?.status !== 'active');
  return [
    ...(missing.length > 0
      ? [oneOf(missing, 'there is no such user', 'there are no such users')]
      : []),
    ...(inactive.length > 0
      ? [oneOf(inactive, 'this user is not active', 'these users are not active')]
      : []),
  ];
};

const assertAll = (named: RecipientFields, users: PresentUsers): void => {
  const details: ErrorDetail[] = Object.entries(named).flatMap(([field, some]) =>
    listProblems([...new Set(some)], users).map((message) => ({ field, message })),
  );
  if (details.length > 0) throw invalidInput(details);
};

const findActive = (users: PresentUsers): StoredMessage['recipients'] =>
  [...users.values()].flatMap((user) =>
    user?.status === 'active'
      ? [{ id: user.id, name: user.name, avatar: user.avatar ?? null }]
      : [],
  );

/** Messages with their recipients as they are called now; who was removed keeps the name of when it was sent. */
export const withPresentNames = async (
  messages: readonly (StoredMessage | undefined)[],
): Promise<(StoredMessage | undefined)[]> => {
  const all = messages.flatMap((message) => message?.recipients.map(({ id }) => id) ?? []);
  const ids = [...new Set(all)].slice(0, maxNamed);
  const users = await readUsers(ids);
  return messages.map(
    (one) =>
      one && { ...one, recipients: one.recipients.map((named) => getCurrentName(users, named)) },
  );
};

/**
 * Those whom a message is for, each once, with their names.
 * @throws AppError VALIDATION_ERROR that names, field by field, who is no user or is not active
 */
export const readRecipients = async (
  named: RecipientFields,
): Promise<StoredMessage['recipients']> => {
  const users = await readUsers(Object.values(named).flat());
  assertAll(named, users);
  return findActive(users);
};

/**
 * Those who are left of whom a reply is for that names nobody: who has gone since, or isn't active, doesn't get it.
 * @throws AppError VALIDATION_ERROR as `readRecipients`, where nobody is left
 */
export const readThoseLeft = async (
  named: RecipientFields,
): Promise<StoredMessage['recipients']> => {
  const users = await readUsers(Object.values(named).flat());
  const left = findActive(users);
  if (left.length === 0) assertAll(named, users);
  return left;
};
