import { isOpenTask, type StoredEvent } from '../../../functions/api/calendar/record/event.ts';
import { indexWrites } from '../../../functions/api/calendar/record/index-entries.ts';

import { userKeys } from '../../../shared/auth/keys.ts';
import { compare, differs, type Stored } from './stored.ts';

/** Checks that each event is in every calendar that shows it, and that open tasks are counted. */
export const ofEvents = (stored: Stored): string[] => {
  const events = stored.records<StoredEvent>(/^EVENT#/, /^EVENT$/);
  const places = events.flatMap((event) =>
    Object.values(indexWrites(undefined, event)).map(({ Put }) => Put?.Item ?? {}),
  );
  const nobodies = events.flatMap(({ id, ownerId, attendees }) =>
    [ownerId, ...attendees.map((attendee) => attendee.id)]
      .filter(
        (user) => !stored.get(userKeys.record.at({ id: user })) && !stored.unsettled.has(user),
      )
      .map((user) => `events: ${id} names ${user}, who is not there`),
  );
  return [
    ...compare('events', places, stored.of(/^CALENDAR#/)),
    ...nobodies,
    ...stored
      .of(/^EVENT#/, /^REMINDER$/)
      .filter(({ pk }) => !stored.get({ pk, sk: 'EVENT' }))
      .map(({ pk, sk }) => `events: ${pk} ${sk} is of nothing`),
    ...differs('open tasks', stored.total('pendingTasks'), events.filter(isOpenTask).length),
  ];
};
