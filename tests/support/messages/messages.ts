import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { canceledWith } from '../aws/errors.ts';
import { pass } from '../run/virtual-time.ts';
import { type Answer, call } from '../service/call.ts';
import { readIds } from '../service/pages.ts';
import { newUserOf, type Person } from '../users/test-users.ts';

type Caller = Pick<Person, 'token'>;
type Query = Readonly<Record<string, string>>;

const writer = ['messages:create', 'messages:delete'];

/** Creates a user with the role `user` who can also send and delete messages. */
export const newWriter = (name = 'Ann Writer'): Promise<Person> =>
  newUserOf('user', { name, extraPermissions: writer });

/** Creates a user who can only view messages. */
export const newReader = (name = 'Rea Reader'): Promise<Person> => newUserOf('user', { name });

/** Creates n readers in small batches. */
export const newReaders = async (count: number): Promise<Person[]> => {
  const readers: Person[] = [];
  while (readers.length < count) {
    const some = Math.min(5, count - readers.length);
    readers.push(...(await Promise.all(Array.from({ length: some }, () => newReader()))));
  }
  return readers;
};

const on = (id: number) => ({ params: { id: String(id) } });

/** Sends a message with a short text by default. */
export const send = ({ token }: Caller, body: object, headers = {}): Promise<Answer> =>
  call('POST /api/messages', { token, headers, body: { content: 'Hello', ...body } });

/** Sends a message and returns its id. */
export const sent = async (
  client: Caller,
  recipients: readonly Pick<Person, 'id'>[],
  body: object = {},
): Promise<number> => {
  const response = await send(client, { recipients: recipients.map(({ id }) => id), ...body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.data.id;
};

/** Sends a message as `sent`, a millisecond after what was sent before. The file has `useVirtualTime`. */
export const sentNext = (...given: Parameters<typeof sent>): Promise<number> => {
  pass(1);
  return sent(...given);
};

type Send = (command: unknown, ...rest: never[]) => Promise<unknown>;

/** Sends a message as `sent`, while the recipients' items change: it is left with them as a delivery. */
export const sentQueued = async (...given: Parameters<typeof sent>): Promise<number> => {
  const client = documentClient() as unknown as { send: Send };
  const real = client.send.bind(client);
  let isRefused = false;
  const spy = vi.spyOn(client, 'send').mockImplementation((command, ...rest) => {
    if (isRefused || !(command instanceof TransactWriteCommand)) return real(command, ...rest);
    isRefused = true;
    return Promise.reject(canceledWith(['ConditionalCheckFailed']));
  });
  try {
    return await sent(...given);
  } finally {
    spy.mockRestore();
  }
};

export const look = ({ token }: Caller, id: number): Promise<Answer> =>
  call('GET /api/messages/{id}', { token, ...on(id) });

export const read = ({ token }: Caller, id: number, body?: unknown): Promise<Answer> =>
  call('PUT /api/messages/{id}/read', { token, ...on(id), ...(body !== undefined && { body }) });

export const remove = ({ token }: Caller, id: number): Promise<Answer> =>
  call('DELETE /api/messages/{id}', { token, ...on(id) });

export const list = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/messages', { token, query });

export const listConversations = ({ token }: Caller, query: Query = {}): Promise<Answer> =>
  call('GET /api/messages/conversations', { token, query });

export const listConversation = (
  { token }: Caller,
  id: number,
  query: Query = {},
): Promise<Answer> => call('GET /api/messages/conversations/{id}', { token, query, ...on(id) });

export const unreadCount = async ({ token }: Caller): Promise<number> => {
  const response = await call('GET /api/messages/unread-count', { token });
  expect(response.status).toBe(200);
  return response.body.data.count;
};

const idsIn = ({ body }: Answer): number[] => body.data.items.map(({ id }: { id: number }) => id);

/** Returns the ids on the first page of 100 and the total. */
export const listed = async (client: Caller, query: Query = {}) => {
  const response = await list(client, { pageSize: '100', ...query });
  expect(response.status).toBe(200);
  const { total, totalIsExact } = response.body.data;
  expect(totalIsExact).toBe(true);
  return { ids: idsIn(response), total };
};

/** Summarizes all that the API returns about a user's messages. */
export const mailboxOf = async (client: Caller) => {
  const conversations = await listConversations(client, { pageSize: '100' });
  return {
    inbox: (await listed(client)).ids,
    sent: (await listed(client, { box: 'sent' })).ids,
    all: (await listed(client, { box: 'all' })).ids,
    unread: (await listed(client, { unread: 'true' })).ids,
    unreadCount: await unreadCount(client),
    totals: [
      (await listed(client)).total,
      (await listed(client, { box: 'sent' })).total,
      (await listed(client, { box: 'all' })).total,
      (await listed(client, { unread: 'true' })).total,
      conversations.body.data.total,
    ],
    conversations: conversations.body.data.items.map(
      // biome-ignore lint/suspicious/noExplicitAny: checked against the document already
      ({ id, lastMessage, messageCount, unreadCount }: any) => ({
        id,
        last: lastMessage.id,
        messageCount,
        unreadCount,
      }),
    ),
  };
};

/** Summary of an empty mailbox. */
export const emptyMailbox = {
  inbox: [],
  sent: [],
  all: [],
  unread: [],
  unreadCount: 0,
  totals: [0, 0, 0, 0, 0],
  conversations: [],
};

/** Returns all ids of a list, paginated by cursor or by number. */
export const walk = (client: Caller, query: Query, by: 'page' | 'cursor'): Promise<number[]> =>
  readIds((at) => list(client, { ...query, ...at }), by);

/** Returns the titles and texts of a user's notifications, newest first. */
export const notificationsOf = async ({ token }: Caller) => {
  const response = await call('GET /api/notifications', { token, query: { pageSize: '100' } });
  expect(response.status).toBe(200);
  return response.body.data.items.map(
    ({ type, content, link, conversationId, sender }: Record<string, { id: number }>) => ({
      type,
      content,
      link,
      conversationId,
      sender: sender?.id ?? null,
    }),
  );
};
