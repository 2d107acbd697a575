import { createDelivery } from '../../../functions/api/webhooks/record/delivery.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { parseUser, type StoredUser } from '../../../shared/auth/user.ts';
import { batchDelete } from '../../../shared/db/batch-delete.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { createItemWrite, transact } from '../../../shared/db/transaction.ts';
import { enqueueOrThrow } from '../../../shared/jobs/queue.ts';
import { createEventId } from '../../../shared/webhooks/events.ts';
import { webhookEvent } from '../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../shared/webhooks/keys.ts';
import { type CallOptions, call } from '../service/call.ts';
import { purgeJobs } from '../service/jobs.ts';
import { itemsOf } from '../table/table.ts';
import type { Person } from '../users/test-users.ts';

type Fields = Readonly<Record<string, unknown>>;

export const hookUrl = 'https://app.example.com/hooks/secret-path?key=1';

/** Asks for a route of webhooks. */
export const ask = (
  { token }: Pick<Person, 'token'>,
  endpoint: string,
  params: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
) =>
  call(endpoint, {
    token,
    ...options,
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, String(value)]),
    ),
  });

let created = 0;

/** Creates a webhook, by default at an address of its own. */
export const createWebhook = (person: Pick<Person, 'token'>, fields: Fields = {}) => {
  created++;
  const body = { url: `${hookUrl}&number=${created}`, events: ['*'], ...fields };
  return ask(person, 'POST /api/webhooks', {}, { body });
};

/** Creates a webhook and returns it with its secret. */
export const newWebhook = async (
  person: Pick<Person, 'token'>,
  fields: Fields = {},
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the shape it expects
): Promise<any> => {
  const { status, body } = await createWebhook(person, fields);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data;
};

export const getWebhook = async (person: Pick<Person, 'token'>, id: unknown) =>
  (await ask(person, 'GET /api/webhooks/{id}', { id })).body.data;

export const listDeliveries = async (
  person: Pick<Person, 'token'>,
  id: unknown,
  query: Readonly<Record<string, string>> = {},
) => (await ask(person, 'GET /api/webhooks/{id}/deliveries', { id }, { query })).body.data;

export const readUser = async (id: number): Promise<StoredUser> => {
  const [item] = await batchGet([userKeys.record.at({ id })]);
  const user = parseUser(item);
  if (!user) throw new Error(`There is no user ${id}`);
  return user;
};

/** What tests tell of. */
export const opened = {
  share: { id: 'k3xV9pQ2mT0a', url: 'https://handbill.example.com/s/k3xV9pQ2mT0a', title: 'Notes' },
  link: null,
  readerId: null,
  views: 3,
  viewsLeft: null,
};

/** Tells the webhooks of a user of an event, as what happens does. */
export const tell = async ({ id: userId }: Pick<Person, 'id'>, id = createEventId()) => {
  const timestamp = new Date().toISOString();
  await enqueueOrThrow(webhookEvent, {
    userId,
    event: { id, type: 'share.opened', timestamp, data: opened },
  });
  return id;
};

/** Stores a delivery that failed for good, and returns its id. */
export const newFailedDelivery = async (hookId: number): Promise<string> => {
  const { delivery } = createDelivery(hookId, {
    id: createEventId(),
    type: 'share.opened',
    timestamp: new Date().toISOString(),
    data: opened,
  });
  const { dueAt: _, ...settled } = delivery;
  const key = webhookKeys.delivery.at({ hookId, id: delivery.id });
  await transact([createItemWrite(key, { ...settled, status: 'failed', tries: 5 })]);
  return delivery.id;
};

/** Forgets what other tests left to be tried. */
export const forgetTries = async (): Promise<void> => {
  purgeJobs();
  await batchDelete(await itemsOf('OUTBOX#'));
};
