import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { countEntries } from '../../../../shared/lists/list-partitions.ts';
import { type Bound, forEachId } from '../../../../shared/lists/process-items.ts';
import { type OwnedRecords, ReceiverRemoved } from '../../../../shared/users/owned-records.ts';
import type { StoredEvent } from '../record/event.ts';
import { eventKeys } from '../record/keys.ts';
import { find, next, retryOnConflict, write } from '../record/store.ts';
import { notificationWrite } from './notify.ts';

const getCalendar = (userId: number) => eventKeys.recurring.partition({ userId });

const withoutAttendee = ({ attendees }: StoredEvent, userId: number) =>
  attendees.filter(({ id }) => id !== userId);

const transferOwnership = (seen: StoredEvent, to: number): Promise<boolean> => {
  const after = next(seen, { ownerId: to, attendees: withoutAttendee(seen, to) });
  return write(seen, after, systemRecorder('event.transfer'));
};

const remove = (seen: StoredEvent): Promise<boolean> => {
  const userIds = seen.attendees.map(({ id }) => id);
  const notification = notificationWrite(seen, undefined, [{ kind: 'cancelled', userIds }]);
  return write(seen, undefined, systemRecorder('event.delete'), notification, seen.ownerId);
};

/**
 * Deletes an event of a deleted user, or transfers it to another user. If the receiver is deleted concurrently, the job
 * that reconciles the receiver handles the event.
 */
const deleteOrTransferEvent = (
  id: number,
  ownerId: number,
  to: number | undefined,
): Promise<true> =>
  retryOnConflict(async () => {
    const [seen, [receiver]] = await Promise.all([
      find(id),
      to === undefined ? [undefined] : batchGet([userKeys.record.at({ id: to })]),
    ]);
    if (seen?.ownerId !== ownerId) return true;
    if (to === undefined) return (await remove(seen)) || undefined;
    if (!receiver) throw new ReceiverRemoved();
    return (await transferOwnership(seen, to)) || undefined;
  });

/** Removes a deleted user from the attendees of all events. Returns whether all are done. */
const removeFromEvents = (userId: number, bound: Bound): Promise<boolean> =>
  forEachId(
    getCalendar(userId),
    (id) =>
      retryOnConflict(async () => {
        const seen = await find(id);
        if (!seen?.attendees.some((attendee) => attendee.id === userId)) return true;
        const after = next(seen, { attendees: withoutAttendee(seen, userId) });
        return (await write(seen, after, systemRecorder('event.leave'))) || undefined;
      }),
    bound,
  );

/** A user's events; those invited to one that is deleted are notified. */
export const owned: OwnedRecords = {
  deleteOrTransfer: (ownerId, { to, ...bound }) =>
    forEachId(getCalendar(ownerId), (id) => deleteOrTransferEvent(id, ownerId, to), bound),
  counted: {
    kind: 'events',
    count: (ownerId) => countEntries([getCalendar(ownerId)], undefined, { equal: { ownerId } }),
  },
  leave: removeFromEvents,
};
