import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import { readIds } from '../service/pages.ts';
import { newUserOf, type Person, writing } from '../users/test-users.ts';

export type Caller = Pick<Person, 'token'>;
export type Query = Readonly<Record<string, string>>;

/** Returns the ids of a page, in its order. */
export const idsIn = ({ body }: Answer): number[] =>
  body.data.items.map(({ id }: { id: number }) => id);

/** Creates the requests that documents and files have in common. */
export const createRequests = (group: 'documents' | 'files') => {
  const withId =
    (endpoint: string) =>
    ({ token }: Caller, id: number, headers = {}, body?: unknown): Promise<Answer> =>
      call(endpoint, {
        token,
        headers,
        params: { id: String(id) },
        ...(body !== undefined && { body }),
      });

  const change = withId(`PUT /api/${group}/{id}`);

  const withReaders = (verb: 'share' | 'unshare') => {
    const send = withId(`POST /api/${group}/{id}/${verb}`);
    return (caller: Caller, id: number, userIds: unknown, headers = {}) =>
      send(caller, id, headers, { userIds });
  };

  const list = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
    call(`GET /api/${group}`, { token, query });

  return {
    /** Creates a user with the role `user` who may write records of this kind too. */
    newOwner: (name = 'Ann Owner'): Promise<Person> =>
      newUserOf('user', { name, extraPermissions: writing(group) }),
    /** Creates a user who can only view records. */
    newReader: (name = 'Rea Reader'): Promise<Person> => newUserOf('user', { name }),
    /** Creates a user who can view and edit all records. */
    newManager: (): Promise<Person> => newUserOf('admin', { name: 'Max Manager' }),
    withId,
    look: withId(`GET /api/${group}/{id}`),
    change: (caller: Caller, id: number, body: unknown, headers = {}) =>
      change(caller, id, headers, body),
    remove: withId(`DELETE /api/${group}/{id}`),
    share: withReaders('share'),
    unshare: withReaders('unshare'),
    list,
    /** Returns the ids on the first page of 100, and the exact total. */
    listed: async (caller: Caller, query: Query = {}) => {
      const response = await list(caller, { pageSize: '100', ...query });
      expect(response.status, JSON.stringify(response.body)).toBe(200);
      const { total, totalIsExact } = response.body.data;
      expect(totalIsExact).toBe(true);
      return { ids: idsIn(response), total: total as number };
    },
    /** Returns all ids of a list, page by page, by cursor or by number. */
    walk: (caller: Caller, query: Query, by: 'page' | 'cursor'): Promise<number[]> =>
      readIds((at) => list(caller, { ...query, ...at }), by),
  };
};
