import type { StoredEvent } from '../../../functions/api/calendar/record/event.ts';
import { eventKeys } from '../../../functions/api/calendar/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { answerReads, type MockedTable, signedIn } from '../aws/errors.ts';
import { call } from '../service/call.ts';

export const now = '2026-11-21T12:00:00.000Z';
export const id = 1_000;

/** Belongs to Ann (id 7); Bob (id 8) is an attendee. */
export const event: StoredEvent = {
  id,
  ownerId: 7,
  title: 'A meeting',
  type: 'meeting',
  priority: 'medium',
  status: 'pending',
  allDay: false,
  timezone: 'UTC',
  start: '2026-11-23T09:00:00.000Z',
  end: '2026-11-23T10:00:00.000Z',
  exdates: [],
  overrides: [],
  attendees: [{ id: 8, name: 'Bob', status: 'pending' }],
  reminders: [],
  sequence: 0,
  createdAt: now,
  updatedAt: now,
  version: 3,
};
const bob = {
  ...userKeys.record.at({ id: 8 }),
  id: 8,
  name: 'Bob',
  role: 'user',
  status: 'active',
};

/** Returns the event as an item of the table. */
export const itemOf = (fields: Partial<StoredEvent> = {}) => ({
  ...eventKeys.record.at({ id }),
  ...event,
  ...fields,
});

/** Owns the event, also if another user calls. */
export const owner = {
  ...userKeys.record.at({ id: 7 }),
  id: 7,
  name: 'Ann',
  role: 'user',
  status: 'active',
};

/** Calls an endpoint, as Ann by default, with Ann, Bob and these items in the mocked table. */
export const callAs = async (
  table: MockedTable,
  endpoint: string,
  {
    body,
    items = [itemOf()],
    userId = 7,
    query = {},
    headers = {},
  }: {
    readonly body?: unknown;
    readonly items?: readonly Record<string, unknown>[];
    readonly userId?: number;
    readonly query?: Record<string, string>;
    readonly headers?: Record<string, string>;
  } = {},
) => {
  const extraPermissions = ['calendar:create', 'calendar:update', 'calendar:delete'];
  const ann = await signedIn({ id: userId, name: userId === 7 ? 'Ann' : 'Bob', extraPermissions });
  answerReads(table, [...ann.items, owner, bob, ...items]);
  const params = { id: String(id), start: '2026-11-24' };
  const options = { token: ann.token, params, query, headers };
  return call(endpoint, { ...options, ...(body !== undefined && { body }) });
};

/** Formats an id as a sort key. */
export const sk = (eventId = id) => String(eventId).padStart(16, '0');
/** Returns the calendar entry of such an event for a user. */
export const place = (userId: number, eventId = id, day = 23) => ({
  pk: `CALENDAR#${userId}`,
  sk: `DAY#2026-11-${day}T09:00:00.000Z#${sk(eventId)}`,
  id: eventId,
  ownerId: 7,
  ...(userId === 7 && { attendeeIds: [8] }),
  over: Date.UTC(2026, 10, day, 10),
});
