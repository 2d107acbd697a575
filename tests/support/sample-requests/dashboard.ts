import { call } from '../service/call.ts';
import { newUser, type TypicalCalls } from './sample-request.ts';

const endpoints = ['stats', 'visits', 'sales', 'pie', 'tasks', 'calendar'];

export const dashboardCalls: TypicalCalls = Object.fromEntries(
  endpoints.map((name) => [
    `GET /api/dashboard/${name}`,
    async () => {
      const { token } = await newUser('user', ['dashboard:view', 'calendar:create']);
      const start = new Date().toISOString();
      for (const type of ['task', 'meeting']) {
        await call('POST /api/calendar/events', { token, body: { title: 'On', type, start } });
      }
      return () => call(`GET /api/dashboard/${name}`, { token });
    },
  ]),
);
