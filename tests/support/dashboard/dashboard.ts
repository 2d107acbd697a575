import { expect } from 'vitest';
import { call } from '../service/call.ts';
import { newUserOf, type Person } from '../users/test-users.ts';
import { deliver, type Told } from './activity.ts';

type Caller = Pick<Person, 'token'>;

/** Creates a user of the role `user` with permissions for the dashboard, all that it counts, and users. */
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

/** Returns the data of a dashboard endpoint. */
// biome-ignore lint/suspicious/noExplicitAny: each test checks the shape it expects
export const shown = async (...asked: Parameters<typeof ask>): Promise<any> => {
  const response = await ask(...asked);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body.data;
};

let told = 0;

/** Records one visit by each of n visitors at a time (ISO 8601). */
export const visit = async (at: string, viewers: number): Promise<void> => {
  const messages: Told[] = Array.from({ length: viewers }, () => ({
    id: `visit-${++told}`,
    data: { at, visitor: `visitor-${told}`, counts: ['pageViews'] },
  }));
  expect(await deliver(messages)).toEqual([]);
};
