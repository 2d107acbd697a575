import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import { newUserOf, type Person, writing } from '../users/test-users.ts';

type Caller = Pick<Person, 'token'>;
type Query = Readonly<Record<string, string>>;

const planner = writing('calendar');

/** Creates a user with the role `user` who can also create events. */
export const newPlanner = (name = 'Pia Planner'): Promise<Person> =>
  newUserOf('user', { name, extraPermissions: planner });

/** Creates a user who can only view their calendar and respond to invitations. */
export const newGuest = (name = 'Gus Guest'): Promise<Person> => newUserOf('user', { name });

const on = (id: number) => ({ params: { id: String(id) } });

/** Lasts one hour. */
export const anHour = { start: '2026-11-23T09:00:00Z', end: '2026-11-23T10:00:00Z' };

/** Returns the first half of an hour in UTC. */
export const halfHour = (day: string, at = '09') => ({
  start: `${day}T${at}:00:00Z`,
  end: `${day}T${at}:30:00Z`,
});

/** Recurs on four Mondays at nine in Berlin. */
export const fourMondays = {
  start: '2026-11-23T09:00',
  end: '2026-11-23T10:00',
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=WEEKLY;COUNT=4',
};

export const create = ({ token }: Caller, body: object = {}, headers = {}): Promise<Answer> =>
  call('POST /api/calendar/events', {
    token,
    headers,
    body: { title: 'An event', ...anHour, ...body },
  });

/** Creates an event and returns the response data. */
// biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
export const made = async (client: Caller, body: object = {}): Promise<any> => {
  const response = await create(client, body);
  expect(response).toMatchObject({ status: 201 });
  return response.body.data;
};

export const look = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('GET /api/calendar/events/{id}', { token, headers, ...on(id) });

export const change = (
  { token }: Caller,
  id: number,
  body: unknown,
  headers = {},
): Promise<Answer> => call('PUT /api/calendar/events/{id}', { token, headers, body, ...on(id) });

export const cancel = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('DELETE /api/calendar/events/{id}', { token, headers, ...on(id) });

export const attend = (
  { token }: Caller,
  id: number,
  status: unknown,
  headers = {},
): Promise<Answer> =>
  call('PUT /api/calendar/events/{id}/attendance', {
    token,
    headers,
    body: { status },
    ...on(id),
  });

/** Answers to one occurrence, identified by its start. */
export const attendOne = (
  { token }: Caller,
  id: number,
  occurrenceStart: unknown,
  status: unknown,
  headers = {},
): Promise<Answer> =>
  call('PUT /api/calendar/events/{id}/attendance', {
    token,
    headers,
    body: { status, occurrenceStart },
    ...on(id),
  });

const one = (id: number, start: string) => ({ params: { id: String(id), start } });

export const updateOccurrence = (
  { token }: Caller,
  id: number,
  start: string,
  body: unknown,
  headers = {},
): Promise<Answer> =>
  call('PUT /api/calendar/events/{id}/occurrences/{start}', {
    token,
    headers,
    body,
    ...one(id, start),
  });

export const cancelOccurrence = (
  { token }: Caller,
  id: number,
  start: string,
  headers = {},
): Promise<Answer> =>
  call('DELETE /api/calendar/events/{id}/occurrences/{start}', {
    token,
    headers,
    ...one(id, start),
  });

export const list = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/calendar/events', { token, query });

/** Lists the events in a window. */
export const inWindow = async (
  client: Caller,
  start: string,
  end: string,
  query: Query = {},
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
): Promise<any> => {
  const response = await list(client, { start, end, ...query });
  expect(response.status).toBe(200);
  return response.body.data;
};

/** Returns the starts of the events in a window, in the order of the response. */
export const startsIn = async (
  client: Caller,
  start: string,
  end: string,
  query: Query = {},
): Promise<string[]> =>
  (await inWindow(client, start, end, query)).items.map((item: { start: string }) => item.start);
