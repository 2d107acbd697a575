import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import {
  getCurrentName,
  maxNamed,
  type PresentUsers,
  readUsers,
} from '../../../../shared/users/person.ts';
import type { StoredEvent } from '../record/event.ts';
import { toEvent } from '../record/store.ts';

const getIds = ({ attendees }: StoredEvent): number[] => attendees.map(({ id }) => id);

const withNames = (event: StoredEvent, users: PresentUsers): StoredEvent => ({
  ...event,
  attendees: event.attendees.map((one) => ({ ...getCurrentName(users, one), status: one.status })),
});

/** An event with its attendees as they are called now, to be shown. One round trip where there are any. */
export const toResponses = async (event: StoredEvent): Promise<StoredEvent> =>
  withNames(event, await readUsers(getIds(event)));

/**
 * The events of these ids, to be shown to a user: those whose owners exist, as `findReadable` tells, with their attendees
 * as they are called now, 500 people at most. One round trip where `userIds`, which are read along, are all whom they name;
 * otherwise two.
 */
export const readShown = async (
  userId: number,
  ids: readonly number[],
  userIds: readonly number[] = [],
): Promise<StoredEvent[]> => {
  const guessed = [...new Set(userIds)].slice(0, maxNamed);
  const items = await batchGet([...ids.map(keys.event), ...guessed.map(keys.user)]);
  const events = items
    .slice(0, ids.length)
    .map(toEvent)
    .filter((event) => event !== undefined);
  const along = items.slice(ids.length) as unknown as (StoredUser | undefined)[];
  const known: PresentUsers = new Map(guessed.map((id, at) => [id, along[at]]));
  const owners = events.map(({ ownerId }) => ownerId).filter((id) => id !== userId);
  const attendees = [...new Set(events.flatMap(getIds))].slice(0, maxNamed);
  const others = [...owners, ...attendees].filter((id) => !known.has(id));
  const users = new Map([...known, ...(await readUsers(others))]);
  return events
    .filter(({ ownerId }) => ownerId === userId || users.get(ownerId) !== undefined)
    .map((event) => withNames(event, users));
};
