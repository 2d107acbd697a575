import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../../functions/api/messages/delivery.ts';
import { messageKeys } from '../../../functions/api/messages/keys.ts';
import {
  getUnreadCount,
  list,
  listConversation,
  listConversations,
} from '../../../functions/api/messages/list.ts';
import { openMailbox } from '../../../functions/api/messages/mailbox.ts';
import type { FoundMessage } from '../../../functions/api/messages/message.ts';
import { isUnread } from '../../../functions/api/messages/message.ts';
import { mark, read, remove } from '../../../functions/api/messages/messages.ts';
import { type Draft, send } from '../../../functions/api/messages/send.ts';
import { list as listNotifications } from '../../../functions/api/notifications/list.ts';
import { getUnreadCount as untold } from '../../../functions/api/notifications/notifications.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import fc from '../../support/run/properties.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { clearTable } from '../../support/table/clear-table.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  apart,
  expected,
  idAt,
  type Model,
  nothing,
  Operation,
  refusal,
  userIds,
  withCopies,
  withSent,
} from '../support/messages/model.ts';
import { storedUser } from '../support/users/stored-user.ts';

useTable();
useBucket();
useJobs();

const change = systemRecorder('message.send');
const actorOf = (id: number) =>
  ({ user: { id, name: `No. ${id}` }, permissions: [] }) as unknown as Actor;

const draftOf = (to: readonly number[], fields: Partial<Draft> = {}): Draft => ({
  recipients: { to },
  subject: undefined,
  content: 'Hello',
  type: 'text',
  replyTo: undefined,
  conversationId: undefined,
  attachments: [],
  ...fields,
});

const long = 'Long. '.repeat(400);

/** Executes an operation and returns how it changes the model. It fails if the model has no target for it. */
const run = async (operation: Operation, model: Model): Promise<(after: Model) => Model> => {
  const { kind, who: userId } = operation;
  if (kind === 'send') {
    const draft = draftOf(operation.to, operation.isLong ? { content: long } : {});
    const { id } = (await send(actorOf(userId), draft, change)).message;
    return (after) => withSent(after, id, operation, id);
  }
  if (kind === 'receive') {
    await openMailbox(userId);
    return (after) => after;
  }
  const id = idAt(model, operation.target);
  if (kind === 'deliver') {
    if (id !== 0) await deliver({ id, userIds: [...userIds] });
    return (after) => after;
  }
  if (kind === 'reply') {
    const { message } = await send(actorOf(userId), draftOf(operation.to, { replyTo: id }), change);
    return (after) => withSent(after, message.id, operation, message.conversationId);
  }
  if (kind === 'remove') {
    await remove(userId, id);
    return (after) => {
      const copies = new Map(after.messages.get(id));
      copies.delete(userId);
      return withCopies(after, id, copies);
    };
  }
  await mark(userId, id, operation.isRead);
  return (after) => {
    const copy = after.messages.get(id)?.get(userId);
    if (!copy?.isIn) return after;
    const copies = new Map(after.messages.get(id)).set(userId, {
      ...copy,
      isRead: operation.isRead,
    });
    return withCopies(after, id, copies);
  };
};

const codeOf = (reason: unknown): string => {
  if (!(reason instanceof AppError)) throw reason;
  return reason.code;
};

const shown = ({ message, copy }: FoundMessage) => ({ id: message.id, isUnread: isUnread(copy) });
const all = { pageSize: 100 };

/** Returns all that the service returns to a user. */
const told = async (userId: number, model: Model) => {
  const of = async (filter: Parameters<typeof list>[1]) => {
    const { items, total, totalIsExact } = await list(userId, filter, all);
    return { items: items.map(shown), total, totalIsExact };
  };
  const conversations = await listConversations(userId, all);
  const threads = await Promise.all(
    conversations.items.map(async ({ conversation }) => {
      const { items, total } = await listConversation(
        userId,
        conversation.latest.conversationId,
        all,
      );
      return { items: items.map(shown), total };
    }),
  );
  const details = await Promise.all(
    [...model.messages.keys()].map((id) => read(userId, id).then(({ content }) => content, codeOf)),
  );
  return {
    unreadCount: await getUnreadCount(userId),
    inbox: await of({ box: 'inbox' }),
    sent: await of({ box: 'sent' }),
    all: await of({ box: 'all' }),
    unread: await of({ box: 'inbox', unread: true }),
    conversations: {
      items: conversations.items.map(({ conversation, latest }) => ({
        id: conversation.latest.conversationId,
        latest: latest.message.id,
        messages: conversation.messages,
        unread: conversation.unread,
      })),
      total: conversations.total,
    },
    threads,
    there: details.map((one) => one !== 'NOT_FOUND'),
    notifications: [(await listNotifications(userId, {}, all)).total, await untold(userId)],
  };
};

/** Checks that no data of fully deleted messages and no pending deliveries are stored. */
const verifyStored = async ({ messages }: Model): Promise<void> => {
  const held = [...messages].filter(([, copies]) => copies.size > 0);
  const items = await itemsOf('MESSAGE#');
  const counts = items.filter(({ sk }) => sk === 'COPIES');
  expect(new Map(counts.map(({ pk, copies }) => [pk, copies]))).toEqual(
    new Map(held.map(([id, copies]) => [messageKeys.record.partition({ id }).pk, copies.size])),
  );
  expect(new Set(items.map(({ pk }) => pk)).size).toBe(held.length);
  expect(await readTotal('messages')).toBe(held.length);
  const waiting = (await itemsOf('USER#')).filter(({ sk }) =>
    String(sk).startsWith('UPDATES#DELIVERY#'),
  );
  expect(waiting).toEqual([]);
};

const verify = async (model: Model): Promise<void> => {
  // Reads concurrently and repeatedly, because the first read of a user delivers the messages.
  const seen = await Promise.all([...userIds, ...userIds].map((userId) => told(userId, model)));
  expect(seen).toEqual([...userIds, ...userIds].map((userId) => expected(userId, model)));
  await verifyStored(model);
};

/** One or several concurrent operations. */
class AtOnce implements fc.AsyncCommand<{ state: Model }, object> {
  readonly operations: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
  }

  check = () => true;

  toString = () => JSON.stringify(this.operations);

  async run(model: { state: Model }): Promise<void> {
    const before = model.state;
    const operations = apart(this.operations, before);
    const outcomes = await Promise.allSettled(operations.map((one) => run(one, before)));
    const [operation] = operations;
    const [outcome] = outcomes;
    if (outcomes.length === 1 && operation && outcome) {
      const code = outcome.status === 'rejected' ? codeOf(outcome.reason) : undefined;
      expect(code).toBe(refusal(operation, before));
    }
    // Concurrent operations never change the same copy, so their order does not matter.
    for (const one of outcomes) {
      if (one.status === 'fulfilled') model.state = one.value(model.state);
      else codeOf(one.reason);
    }
    await verify(model.state);
  }
}

const startAnew = async (): Promise<void> => {
  await clearTable();
  await putItems(userIds.map(storedUser));
};

describe('generated operations on messages', () => {
  beforeEach(() => {
    // Hides the metrics of jobs that the queue does not accept in time.
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  const concurrency = (maxLength: number) =>
    fc.array(Operation, { minLength: 1, maxLength }).map((operations) => new AtOnce(operations));
  const runsOf = (commands: fc.Arbitrary<AtOnce>) => fc.commands([commands], { maxCommands: 12 });
  const check = async (commands: Iterable<fc.AsyncCommand<{ state: Model }, object>>) => {
    await startAnew();
    await fc.asyncModelRun(() => ({ model: { state: nothing }, real: {} }), commands);
  };

  // The time allows shrinking a failed run. An interrupted run would continue during the next test.
  const bounds = { numRuns: 10, interruptAfterTimeLimit: 90_000 };

  it('keep four mailboxes equal to the model one after another', async () => {
    await fc.assert(fc.asyncProperty(runsOf(concurrency(1)), check), bounds);
  });

  it('keep four mailboxes equal to the model when concurrent', async () => {
    await fc.assert(fc.asyncProperty(runsOf(concurrency(6)), check), bounds);
  });
});
