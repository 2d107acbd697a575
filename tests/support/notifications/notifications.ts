import { expect } from 'vitest';
import type { Notice } from '../../../shared/notifications/notification.ts';
import { notify } from '../../../shared/notifications/notify.ts';
import { type Answer, call } from '../service/call.ts';
import type { Person } from '../users/test-users.ts';

type Caller = Pick<Person, 'token'>;
type Query = Readonly<Record<string, string>>;

export const notice: Notice = {
  topic: 'shares',
  type: 'system',
  title: 'Something',
  content: 'It happened.',
};

let happenings = 0;

/** Sends a new notification to a user. */
export const tell = ({ id }: Pick<Person, 'id'>, fields: Partial<Notice> = {}): Promise<void> =>
  notify([id], { ...notice, ...fields }, `test#${++happenings}`);

const on = (id: number) => ({ params: { id: String(id) } });

export const list = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/notifications', { token, query });

export const markRead = ({ token }: Caller, id: number): Promise<Answer> =>
  call('PUT /api/notifications/{id}/read', { token, ...on(id) });

export const markAllRead = ({ token }: Caller): Promise<Answer> =>
  call('PUT /api/notifications/read-all', { token });

export const remove = ({ token }: Caller, id: number): Promise<Answer> =>
  call('DELETE /api/notifications/{id}', { token, ...on(id) });

/** Returns the unread count of its endpoint. */
export const unreadCount = async ({ token }: Caller): Promise<number> => {
  const response = await call('GET /api/notifications/unread-count', { token });
  expect(response.status).toBe(200);
  return response.body.data.count;
};

/** Returns the first 100 items of a list and its total. */
export const listed = async (client: Caller, query: Query = {}) => {
  const response = await list(client, { pageSize: '100', ...query });
  expect(response.status).toBe(200);
  const { items, total, totalIsExact } = response.body.data;
  expect(totalIsExact).toBe(true);
  return { items, total } as { items: Record<string, unknown>[]; total: number };
};

/** Sends n notifications to a user and returns their ids, newest first. */
export const told = async (
  person: Person,
  count: number,
  fields: Partial<Notice> = {},
): Promise<number[]> => {
  for (let at = 0; at < count; at++) await tell(person, fields);
  const { items } = await listed(person);
  return items.slice(0, count).map(({ id }) => id as number);
};
