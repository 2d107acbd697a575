import { userKeys } from '../../../../shared/auth/keys.ts';
import { parseUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import {
  getCurrentName,
  maxNamed,
  type PresentUsers,
  readUsers,
} from '../../../../shared/users/person.ts';
import { parseEvent, type StoredEvent } from '../record/event.ts';
import { eventKeys } from '../record/keys.ts';

const getIds = ({ attendees }: StoredEvent): number[] => attendees.map(({ id }) => id);

const applyNames = (event: StoredEvent, users: PresentUsers): StoredEvent => ({
  ...event,
  attendees: event.attendees.map((attendee) => ({
    ...getCurrentName(users, attendee),
    status: attendee.status,
    ...(attendee.answers && { answers: attendee.answers }),
  })),
});

const withOwner = (event: StoredEvent, users: PresentUsers): StoredEvent => {
  const owner = users.get(event.ownerId);
  return owner ? { ...event, ownerName: owner.name } : event;
};

/** Adds the current names of its attendees to an event of the caller. Takes one round trip if there are any. */
export const withCurrentNames = async (event: StoredEvent): Promise<StoredEvent> =>
  applyNames(event, await readUsers(getIds(event)));

/** Adds the current names of its owner and attendees to an event. Takes one round trip. */
export const withAllNames = async (event: StoredEvent): Promise<StoredEvent> => {
  const users = await readUsers([event.ownerId, ...getIds(event)]);
  return withOwner(applyNames(event, users), users);
};

/**
 * Returns the events with these ids whose owners exist, with the current names of up to 500 attendees and of owners
 * other than the user. Takes one round trip if `userIds` contains all owners and attendees, otherwise two.
 */
export const readWithCurrentNames = async (
  userId: number,
  ids: readonly number[],
  userIds: readonly number[] = [],
): Promise<StoredEvent[]> => {
  const expected = [...new Set(userIds)].slice(0, maxNamed);
  const items = await batchGet([
    ...ids.map((id) => eventKeys.record.at({ id })),
    ...expected.map((id) => userKeys.record.at({ id })),
  ]);
  const events = items
    .slice(0, ids.length)
    .map(parseEvent)
    .filter((event) => event !== undefined);
  const along = items.slice(ids.length).map(parseUser);
  const known: PresentUsers = new Map(expected.map((id, at) => [id, along[at]]));
  const owners = events.map(({ ownerId }) => ownerId).filter((id) => id !== userId);
  const attendees = [...new Set(events.flatMap(getIds))].slice(0, maxNamed);
  const others = [...owners, ...attendees].filter((id) => !known.has(id));
  const users = new Map([...known, ...(await readUsers(others))]);
  return events
    .filter(({ ownerId }) => ownerId === userId || users.get(ownerId) !== undefined)
    .map((event) => applyNames(event, users))
    .map((event) => (event.ownerId === userId ? event : withOwner(event, users)));
};
