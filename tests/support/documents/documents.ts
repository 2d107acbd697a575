import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import { newUserOf, type Person } from '../users/test-users.ts';

type Caller = Pick<Person, 'token'>;
type Query = Readonly<Record<string, string>>;

const author = ['documents:create', 'documents:update', 'documents:delete'];

/** A user with the role `user` who may write documents too. */
export const newAuthor = (name = 'Ann Author'): Promise<Person> =>
  newUserOf('user', { name, extraPermissions: author });

/** A user who may look at documents and no more. */
export const newReader = (name = 'Rea Reader'): Promise<Person> => newUserOf('user', { name });

/** A user who sees and changes all documents. */
export const newManager = (): Promise<Person> => newUserOf('admin', { name: 'Max Manager' });

const on = (id: number) => ({ params: { id: String(id) } });

export const create = ({ token }: Caller, body: object = {}, headers = {}): Promise<Answer> =>
  call('POST /api/documents', { token, headers, body: { title: 'A document', ...body } });

/** A new document's id. */
export const made = async (client: Caller, body: object = {}): Promise<number> => {
  const response = await create(client, body);
  expect(response.status).toBe(201);
  return response.body.data.id;
};

export const look = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('GET /api/documents/{id}', { token, headers, ...on(id) });

export const change = (
  { token }: Caller,
  id: number,
  body: unknown,
  headers = {},
): Promise<Answer> => call('PUT /api/documents/{id}', { token, headers, body, ...on(id) });

export const trash = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('DELETE /api/documents/{id}', { token, headers, ...on(id) });

export const restore = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('POST /api/documents/{id}/restore', { token, headers, ...on(id) });

export const purge = ({ token }: Caller, id: number, headers = {}): Promise<Answer> =>
  call('DELETE /api/documents/trash/{id}', { token, headers, ...on(id) });

export const share = (
  { token }: Caller,
  id: number,
  userIds: unknown,
  headers = {},
): Promise<Answer> =>
  call('POST /api/documents/{id}/share', { token, headers, body: { userIds }, ...on(id) });

export const unshare = (
  { token }: Caller,
  id: number,
  userIds: unknown,
  headers = {},
): Promise<Answer> =>
  call('POST /api/documents/{id}/unshare', { token, headers, body: { userIds }, ...on(id) });

export const list = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/documents', { token, query });

export const listTrash = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/documents/trash', { token, query });

const idsIn = ({ body }: Answer): number[] => body.data.items.map(({ id }: { id: number }) => id);

/** The ids on a list's first page of 100, and the total it names. */
export const listed = async (client: Caller, query: Query = {}) => {
  const response = await list(client, { pageSize: '100', ...query });
  expect(response.status).toBe(200);
  const { total, totalIsExact } = response.body.data;
  expect(totalIsExact).toBe(true);
  return { ids: idsIn(response), total };
};

/** The same of the trash. */
export const trashed = async (client: Caller) => {
  const response = await listTrash(client, { pageSize: '100' });
  return { ids: idsIn(response), total: response.body.data.total };
};

/** Every id of a list, page by page, by cursor or by number. */
export const walk = async (
  client: Caller,
  query: Query,
  by: 'page' | 'cursor',
): Promise<number[]> => {
  const ids: number[] = [];
  let next: Query = {};
  for (let page = 1; ; page++) {
    const response = await list(client, { ...query, ...next });
    expect(response.status).toBe(200);
    ids.push(...idsIn(response));
    const { nextCursor } = response.body.data;
    if (nextCursor === null) return ids;
    next = by === 'page' ? { page: String(page + 1) } : { cursor: nextCursor };
  }
};
