import { type CallOptions, call } from '../service/call.ts';
import { newUser, params, type TypicalCalls } from './sample-request.ts';

const permissions = ['calendar:create', 'calendar:update', 'calendar:delete'];

/** A meeting of two people in the month of the tests' virtual time. */
const meeting = {
  title: 'A meeting',
  start: '2026-11-23T09:00',
  end: '2026-11-23T10:00',
  timezone: 'Europe/Berlin',
  reminders: [10],
};

/** Creates an organizer and an attendee. */
const newPair = async () => {
  const [owner, guest] = [await newUser('user', permissions), await newUser()];
  const ask = (endpoint: string, options: CallOptions = {}) =>
    call(endpoint, { token: owner.token, ...options });
  const response = (endpoint: string, options: CallOptions = {}) =>
    call(endpoint, { token: guest.token, ...options });
  const body = { ...meeting, attendees: [guest.id] };
  const make = async (more = {}) =>
    (await ask('POST /api/calendar/events', { body: { ...body, ...more } })).body.data.id as number;
  return { body, make, ask, answer: response };
};

/** Prepares a request by an event's owner. */
const ofOne = (endpoint: string, body?: unknown) => async () => {
  const { make, ask } = await newPair();
  const options = { ...params(await make()), ...(body !== undefined && { body }) };
  return () => ask(endpoint, options);
};

/** Prepares a request by the owner about one occurrence of a daily event. */
const ofOccurrence = (endpoint: string, body?: unknown) => async () => {
  const { make, ask } = await newPair();
  const id = String(await make({ rrule: 'FREQ=DAILY' }));
  const options = { params: { id, start: '2026-11-24' }, ...(body !== undefined && { body }) };
  return () => ask(endpoint, options);
};

export const calendarCalls: TypicalCalls = {
  'GET /api/calendar/events': async () => {
    const { make, ask } = await newPair();
    for (let day = 10; day < 20; day++) {
      const [start, end] = [`2026-11-${day}T09:00`, `2026-11-${day}T10:00`];
      await make({ start, end });
    }
    for (const rrule of ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,WE']) await make({ rrule });
    const query = { start: '2026-11-01', end: '2026-12-01', timezone: 'UTC' };
    return () => ask('GET /api/calendar/events', { query });
  },
  'GET /api/calendar/events (invited)': async () => {
    const { make, answer: response } = await newPair();
    await make();
    const query = { start: '2026-11-01', end: '2026-12-01' };
    return () => response('GET /api/calendar/events', { query });
  },
  'GET /api/calendar/events/{id}': ofOne('GET /api/calendar/events/{id}'),
  'POST /api/calendar/events': async () => {
    const { body, ask } = await newPair();
    return () => ask('POST /api/calendar/events', { body });
  },
  'PUT /api/calendar/events/{id}': ofOne('PUT /api/calendar/events/{id}', {
    start: '2026-11-24T09:00',
    end: '2026-11-24T10:00',
  }),
  'DELETE /api/calendar/events/{id}': ofOne('DELETE /api/calendar/events/{id}'),
  'PUT /api/calendar/events/{id}/attendance': async () => {
    const { make, answer: response } = await newPair();
    const options = { ...params(await make()), body: { status: 'accepted' } };
    return () => response('PUT /api/calendar/events/{id}/attendance', options);
  },
  'PUT /api/calendar/events/{id}/attendance (one occurrence)': async () => {
    const { make, answer: response } = await newPair();
    const id = await make({ rrule: 'FREQ=DAILY' });
    const body = { status: 'declined', occurrenceStart: '2026-11-24' };
    const options = { ...params(id), body };
    return () => response('PUT /api/calendar/events/{id}/attendance', options);
  },
  'PUT /api/calendar/events/{id}/occurrences/{start}': ofOccurrence(
    'PUT /api/calendar/events/{id}/occurrences/{start}',
    { start: '2026-11-24T12:00' },
  ),
  'DELETE /api/calendar/events/{id}/occurrences/{start}': ofOccurrence(
    'DELETE /api/calendar/events/{id}/occurrences/{start}',
  ),
};
