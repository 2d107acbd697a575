import { type Answer, call } from '../service/call.ts';
import { newUser, type TypicalCalls } from './sample-request.ts';

const hourMs = 3_600_000;

/** Creates a user with a daily meeting and one today, and returns the token of the calendar feed. */
const newOwner = async () => {
  const { token } = await newUser('user', ['calendar:create']);
  const start = new Date().toISOString();
  const end = new Date(Date.now() + hourMs).toISOString();
  for (const rrule of [null, 'FREQ=DAILY']) {
    await call('POST /api/calendar/events', {
      token,
      body: { title: 'Stand-up', start, end, rrule },
    });
  }
  const ask = (endpoint: string): Promise<Answer> => call(endpoint, { token });
  const { body } = await ask('POST /api/calendar/feed');
  return { ask, feed: new URL(body.data.url).pathname.split('/')[2] ?? '' };
};

const ofOwner = (endpoint: string) => async () => {
  const { ask } = await newOwner();
  return () => ask(endpoint);
};

export const calendarFeedCalls: TypicalCalls = {
  'GET /api/calendar/feed': ofOwner('GET /api/calendar/feed'),
  'POST /api/calendar/feed': ofOwner('POST /api/calendar/feed'),
  'DELETE /api/calendar/feed': ofOwner('DELETE /api/calendar/feed'),
  'GET /calendar/{token}/events.ics': async () => {
    const { feed } = await newOwner();
    return () => call('GET /calendar/{token}/events.ics', { params: { token: feed } });
  },
};
