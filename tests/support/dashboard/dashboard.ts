import { expect } from 'vitest';
import { call } from '../service/call.ts';
import { newUserOf, type Person } from '../users/test-users.ts';
import { deliver, type Told } from './activity.ts';

type Caller = Pick<Person, 'token'>;

/** A user with the role `user` who may look at the dashboard, do whatever it counts, and change users. */
export const newViewer = (fields: Parameters<typeof newUserOf>[1] = {}): Promise<Person> =>
  newUserOf('user', {
    name: 'Dora Dashboard',
    extraPermissions: [
      'dashboard:view',
      'sales:*',
      'documents:*',
      'files:*',
      'messages:*',
      'calendar:*',
      'users:*',
    ],
    ...fields,
  });

export const ask = (
  { token }: Caller,
  name: string,
  query: Readonly<Record<string, string>> = {},
) => call(`GET /api/dashboard/${name}`, { token, query });

/** What an endpoint of the dashboard shows. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
export const shown = async (...asked: Parameters<typeof ask>): Promise<any> => {
  const response = await ask(...asked);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.data;
};

let told = 0;

/** So many visitors come at a time (ISO 8601), each for one visit. */
export const visit = async (at: string, viewers: number): Promise<void> => {
  const messages: Told[] = Array.from({ length: viewers }, () => ({
    id: `visit-${++told}`,
    data: { at, visitor: `visitor-${told}`, counts: ['pageViews'] },
  }));
  expect(await deliver(messages)).toEqual([]);
};
