import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredEvent } from '../../../functions/api/calendar/record/event.ts';
import { indexWrites } from '../../../functions/api/calendar/record/index-entries.ts';
import { toSchedule } from '../../../functions/api/calendar/record/schedule.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';

const dayMs = 86_400_000;
const batch = 25;

/** Alternates between events of an hour, three days, 60 days, and a daily series. */
const kinds = [
  { end: 3_600_000, rrule: undefined },
  { end: 3 * dayMs, rrule: undefined },
  { end: 60 * dayMs, rrule: undefined },
  { end: 3_600_000, rrule: 'FREQ=DAILY;COUNT=7' },
];

/** Stores calendar entries before 2023 without their events, which a window that reads the entries cannot find. */
export const putHistory = async (ownerId: number, count: number): Promise<void> => {
  const items = Array.from({ length: count }, (_, at) => {
    const kind = kinds[at % kinds.length];
    const start = Date.UTC(2023, 0) - at * 6 * 3_600_000;
    const schedule = toSchedule({
      start: new Date(start).toISOString(),
      end: new Date(start + (kind?.end ?? 0)).toISOString(),
      allDay: false,
      timezone: 'Europe/Berlin',
      rrule: kind?.rrule,
      exdates: [],
    });
    const time = new Date(start).toISOString();
    const event: StoredEvent = {
      id: 1_000_000 + at,
      ownerId,
      title: 'Long past',
      type: 'meeting',
      priority: 'medium',
      status: 'pending',
      attendees: [],
      reminders: [],
      sequence: 0,
      createdAt: time,
      updatedAt: time,
      version: 1,
      ...schedule,
    };
    return indexWrites(undefined, event).map(({ Put }) => Put?.Item ?? {});
  }).flat();
  for (let at = 0; at < items.length; at += batch) {
    const requests = items.slice(at, at + batch).map((Item) => ({ PutRequest: { Item } }));
    await documentClient().send(
      new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }),
    );
  }
};
