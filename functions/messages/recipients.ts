import { batchGet } from '../../shared/dynamodb.ts';
import { type ErrorDetail, invalidInput } from '../../shared/errors.ts';
import { keys } from '../../shared/table.ts';
import type { StoredUser } from '../../shared/user.ts';
import type { StoredMessage } from './message.ts';

/** Each is one of the 100 items of a transaction. */
export const maxRecipients = 50;

/** The ids of users by the field of the body that names them. */
export type Named = Readonly<Record<string, readonly number[]>>;

const oneOf = (ids: readonly number[], one: string, many: string): string =>
  `has ${ids.join(', ')}: ${ids.length === 1 ? one : many}`;

type Users = ReadonlyMap<number, StoredUser | undefined>;

const problemsOf = (ids: readonly number[], users: Users): string[] => {
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

const readUsers = async (named: Named): Promise<Users> => {
  const ids = [...new Set(Object.values(named).flat())];
  const found = (await batchGet(ids.map(keys.user))) as unknown as (StoredUser | undefined)[];
  return new Map(ids.map((id, at) => [id, found[at]]));
};

const checkAll = (named: Named, users: Users): void => {
  const details: ErrorDetail[] = Object.entries(named).flatMap(([field, some]) =>
    problemsOf([...new Set(some)], users).map((message) => ({ field, message })),
  );
  if (details.length > 0) throw invalidInput(details);
};

const activeOf = (users: Users): StoredMessage['recipients'] =>
  [...users.values()].flatMap((user) =>
    user?.status === 'active'
      ? [{ id: user.id, name: user.name, avatar: user.avatar ?? null }]
      : [],
  );

/** So many of the recipients of a list are read; further ones are shown by the names that they had. */
const maxNamed = 500;

/** Messages with their recipients as they are called now; who was removed keeps the name of when it was sent. */
export const withPresentNames = async (
  messages: readonly (StoredMessage | undefined)[],
): Promise<(StoredMessage | undefined)[]> => {
  const all = messages.flatMap((message) => message?.recipients.map(({ id }) => id) ?? []);
  const ids = [...new Set(all)].slice(0, maxNamed);
  const users = (await batchGet(ids.map(keys.user))) as unknown as (StoredUser | undefined)[];
  const byId = new Map(ids.map((id, at) => [id, users[at]]));
  const present = ({ id, name }: StoredMessage['recipients'][number]) => {
    const user = byId.get(id);
    return { id, name: user?.name ?? name, avatar: user?.avatar ?? null };
  };
  return messages.map((one) => one && { ...one, recipients: one.recipients.map(present) });
};

/**
 * Those whom a message is for, each once, with their names.
 * @throws AppError VALIDATION_ERROR that names, field by field, who is no user or is not active
 */
export const readRecipients = async (named: Named): Promise<StoredMessage['recipients']> => {
  const users = await readUsers(named);
  checkAll(named, users);
  return activeOf(users);
};

/**
 * Those who are left of whom a reply is for that names nobody: who has gone since, or isn't active, doesn't get it.
 * @throws AppError VALIDATION_ERROR as `readRecipients`, where nobody is left
 */
export const readThoseLeft = async (named: Named): Promise<StoredMessage['recipients']> => {
  const users = await readUsers(named);
  const left = activeOf(users);
  if (left.length === 0) checkAll(named, users);
  return left;
};
