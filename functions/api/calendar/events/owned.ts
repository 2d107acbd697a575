import { systemAudit } from '../../../../shared/audit/audit-log.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { type Deadline, forEachId } from '../../../../shared/lists/process-items.ts';
import { type OwnedRecords, ReceiverRemoved } from '../../../../shared/users/owned-records.ts';
import type { StoredEvent } from '../record/event.ts';
import { find, next, untilDone, write } from '../record/store.ts';
import { notificationWrite } from './notify.ts';

const getCalendar = (userId: number) => keys.recurringEvent(userId, '', 0);

const withoutAttendee = ({ attendees }: StoredEvent, userId: number) =>
  attendees.filter(({ id }) => id !== userId);

const transferOwnership = (seen: StoredEvent, to: number): Promise<boolean> => {
  const after = next(seen, { ownerId: to, attendees: withoutAttendee(seen, to) });
  return write(seen, after, systemAudit('event.transfer'));
};

const remove = (seen: StoredEvent): Promise<boolean> => {
  const userIds = seen.attendees.map(({ id }) => id);
  const notice = notificationWrite(seen, undefined, [{ what: 'cancelled', userIds }]);
  return write(seen, undefined, systemAudit('event.delete'), { notice });
};

/**
 * Removes a removed user's own event, or hands it to another user. What is handed to one who is removed in that very moment
 * is dealt with by the job that settles what that user leaves behind.
 */
const deleteOrTransferEvent = (
  id: number,
  ownerId: number,
  to: number | undefined,
): Promise<true> =>
  untilDone(async () => {
    const [seen, [receiver]] = await Promise.all([
      find(id),
      to === undefined ? [undefined] : batchGet([keys.user(to)]),
    ]);
    if (seen?.ownerId !== ownerId) return true;
    if (to === undefined) return (await remove(seen)) || undefined;
    if (!receiver) throw new ReceiverRemoved();
    return (await transferOwnership(seen, to)) || undefined;
  });

/** Takes a removed user out of the attendees of all events that the user was invited to. Says whether all are done. */
const removeFromEvents = (userId: number, bound: Deadline): Promise<boolean> =>
  forEachId(
    getCalendar(userId),
    (id) =>
      untilDone(async () => {
        const seen = await find(id);
        if (!seen?.attendees.some((attendee) => attendee.id === userId)) return true;
        const after = next(seen, { attendees: withoutAttendee(seen, userId) });
        return (await write(seen, after, systemAudit('event.leave'))) || undefined;
      }),
    bound,
  );

/** A user's events; those invited to one that is deleted are notified. */
export const owned: OwnedRecords = {
  deleteOrTransfer: (ownerId, { to, ...bound }) =>
    forEachId(getCalendar(ownerId), (id) => deleteOrTransferEvent(id, ownerId, to), bound),
  leave: removeFromEvents,
};
