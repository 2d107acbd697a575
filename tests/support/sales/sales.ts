import { expect } from 'vitest';
import { type Answer, call } from '../service/call.ts';
import { newUserOf, type Person } from '../users/test-users.ts';

type Caller = Pick<Person, 'token'>;
type Query = Readonly<Record<string, string>>;

/** A user with the role `user` who may do everything with sales. */
export const newSeller = (): Promise<Person> =>
  newUserOf('user', { name: 'Sam Seller', extraPermissions: ['sales:*'] });

export const record = ({ token }: Caller, body: unknown, headers = {}): Promise<Answer> =>
  call('POST /api/sales', { token, headers, body });

/** A new sale's id. */
export const recorded = async (client: Caller, body: object = {}): Promise<number> => {
  const response = await record(client, { amount: 10, ...body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.data.id;
};

export const look = ({ token }: Caller, id: unknown): Promise<Answer> =>
  call('GET /api/sales/{id}', { token, params: { id: String(id) } });

const about =
  (endpoint: string) =>
  ({ token }: Caller, id: unknown, request: { body?: unknown; headers?: object } = {}) =>
    call(endpoint, { token, params: { id: String(id) }, ...request } as Parameters<typeof call>[1]);

export const change = about('PUT /api/sales/{id}');
export const remove = about('DELETE /api/sales/{id}');
export const refund = about('POST /api/sales/{id}/refund');

export const list = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/sales', { token, query });

/** The ids on a list's first page of 100, and the total it names. */
export const listed = async (client: Caller, query: Query = {}) => {
  const response = await list(client, { pageSize: '100', ...query });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  const { items, total } = response.body.data;
  return { ids: items.map(({ id }: { id: number }) => id), total };
};
