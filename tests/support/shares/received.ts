import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import type { Person } from '../users/test-users.ts';

type Query = Readonly<Record<string, string>>;

/** Creates the requests of a signed-in user about what others share with them. */
export const receivedOf = (person: Pick<Person, 'token'>) => {
  const ask = (endpoint: string, options: object): Promise<Answer> =>
    call(endpoint, { token: person.token, ...options });
  const received = (query: Query = {}): Promise<Answer> =>
    ask('GET /api/share/received', { query });
  return {
    received,
    /** Returns the titles of the first page, newest first. */
    titles: async (query: Query = {}): Promise<string[]> => {
      const { status, body } = await received(query);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.items.map(({ title }: { title: string }) => title);
    },
    unlist: (id: string): Promise<Answer> =>
      ask('DELETE /api/share/received/{id}', { params: { id } }),
    see: (body: object = {}): Promise<Answer> => ask('PUT /api/share/received/seen', { body }),
  };
};
