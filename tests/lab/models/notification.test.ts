import { describe, expect, it, vi } from 'vitest';
import { list } from '../../../functions/api/notifications/list.ts';
import {
  getUnreadCount,
  read,
  readAll,
  remove,
} from '../../../functions/api/notifications/notifications.ts';
import { toNotification } from '../../../functions/api/notifications/schemas.ts';
import { parseCounters } from '../../../shared/notifications/counters.ts';
import { types } from '../../../shared/notifications/notification.ts';
import { notify } from '../../../shared/notifications/notify.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { storedUser } from '../support/users/stored-user.ts';

useTable();
const start = '2026-11-21T12:00:00.000Z';
useVirtualTime(start);

const dayMs = 86_400_000;
const keptDays = 90;

const kindOf = <Kind extends string>(kind: Kind) => fc.constant(kind);
const who = fc.nat(1);
const target = fc.nat(7);

const Operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: kindOf('new'), who, type: fc.constantFrom(...types) }),
  },
  // Repeats an event, as a redelivered job does.
  { weight: 1, arbitrary: fc.record({ kind: kindOf('again'), who, target }) },
  { weight: 3, arbitrary: fc.record({ kind: kindOf('read'), who, target }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('readAll'), who }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('remove'), who, target }) },
);
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

/** Concurrent operations, and the time that passes before them. */
const Batch = fc.record({
  afterMs: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1, 1_000) },
    { weight: 2, arbitrary: fc.integer({ min: dayMs / 2, max: 95 * dayMs }) },
    // Just before and after midnight.
    { weight: 1, arbitrary: fc.constantFrom(-1, -2) },
  ),
  operations: fc.array(Operation, { minLength: 1, maxLength: 5 }),
});

/** An expected notification. If it is created concurrently with `readAll`, either read state is valid. */
interface Modelled {
  readonly happening: string;
  readonly type: (typeof types)[number];
  readonly createdAt: string;
  readonly readAt: string | null | 'either';
}

/** All notifications of a user by id, including expired ones. */
type Model = Map<number, Modelled>;

let lastUser = 0;
let happenings = 0;

const newUser = async (): Promise<number> => {
  const id = ++lastUser;
  await putItems([storedUser(id)]);
  return id;
};

const dayOf = (time: string | number) => Math.floor(new Date(time).getTime() / dayMs);
const isKept = ({ createdAt }: Modelled) => dayOf(createdAt) >= dayOf(Date.now()) - keptDays;

const advance = (afterMs: number): void => {
  const untilMidnight = dayMs - (Date.now() % dayMs);
  pass(afterMs >= 0 ? afterMs : untilMidnight + (afterMs === -1 ? 0 : -1));
};

const orMissing = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    return false;
  }
};

const idAt = (model: Model, at: number): number => [...model.keys()].toReversed()[at] ?? 1;

/** Checks every list, total and count of a user against the model. */
const verify = async (userId: number, model: Model): Promise<void> => {
  const now = [...model].filter(([, one]) => isKept(one)).toSorted(([a], [b]) => b - a);
  const shown = async (filter: Parameters<typeof list>[1]) => {
    const { items, total, totalIsExact } = await list(userId, filter, { pageSize: 100 });
    expect(totalIsExact).toBe(true);
    expect(total).toBe(items.length);
    return items.map((one) => toNotification(one, []));
  };
  const all = await shown({});
  expect(all.map(({ id, type, createdAt }) => ({ id, type, createdAt }))).toEqual(
    now.map(([id, { type, createdAt }]) => ({ id, type, createdAt })),
  );
  for (const { id, read: isRead, readAt } of all) {
    expect(isRead).toBe(readAt !== null);
    const expected = model.get(id)?.readAt;
    if (expected !== 'either') expect(readAt).toBe(expected);
    // Only existing notifications are marked: nothing older is unread.
    else if (isRead) {
      expect(all.filter((one) => one.id < id && !one.read)).toEqual([]);
    }
    model.set(id, { ...(model.get(id) as Modelled), readAt });
  }
  const unread = all.filter((one) => !one.read);
  expect(await getUnreadCount(userId)).toBe(unread.length);
  expect(await shown({ unread: true })).toEqual(unread);
  for (const type of types) {
    expect(await shown({ type })).toEqual(all.filter((one) => one.type === type));
  }
  // No daily counter is negative.
  const stored = await itemsOf(`USER#${userId}`);
  const [item] = stored.filter(
    ({ sk, pk }) => sk === 'UPDATES#COUNTERS' && pk === `USER#${userId}`,
  );
  const box = parseCounters(item);
  const counts = [box?.kept ?? {}, box?.unread ?? {}].flatMap((days) => Object.entries(days));
  expect(counts.filter(([, count]) => count < 0)).toEqual([]);
  expect(new Set(counts.map(([day]) => day)).size).toBeLessThanOrEqual(keptDays + 2);
};

/** Runs the operations concurrently and updates the model. */
const run = async (
  operations: readonly Operation[],
  userId: number,
  model: Model,
): Promise<void> => {
  const now = new Date().toISOString();
  const before = new Map(model);
  const isMarked = operations.some(({ kind }) => kind === 'readAll');
  const told: { readonly happening: string; readonly type: (typeof types)[number] }[] = [];
  const removed = new Map<number, number>();
  const asked = new Set<number>();
  await Promise.all(
    operations.map(async (operation) => {
      const { kind } = operation;
      if (kind === 'readAll') return readAll(userId);
      if (kind === 'new') {
        const { type } = operation;
        const event = `test#${++happenings}`;
        told.push({ happening: event, type });
        return notify([userId], { topic: 'shares', type, title: event, content: '' }, event);
      }
      const id = idAt(before, operation.target);
      const seen = before.get(id);
      if (kind === 'again') {
        // Receipts are stored for 19 days.
        if (!seen || Date.now() - Date.parse(seen.createdAt) > 18 * dayMs) return;
        const { type, happening: event } = seen;
        return notify([userId], { topic: 'shares', type, title: event, content: '' }, event);
      }
      if (kind === 'read') {
        const isThere = await orMissing(read(userId, id));
        if (!seen || !isKept(seen)) expect(isThere).toBe(false);
        if (isThere) asked.add(id);
        return;
      }
      const isRemoved = await orMissing(remove(userId, id));
      if (!seen || !isKept(seen)) expect(isRemoved).toBe(false);
      else removed.set(id, (removed.get(id) ?? 0) + Number(isRemoved));
    }),
  );
  // Each is deleted once, also by concurrent requests.
  expect([...removed.values()].every((times) => times === 1)).toBe(true);
  for (const id of removed.keys()) model.delete(id);
  for (const [id, one] of model) {
    if (one.readAt === null && (isMarked || asked.has(id))) model.set(id, { ...one, readAt: now });
  }
  const { items } = await list(userId, {}, { pageSize: 100 });
  const fresh = items.map(({ notification }) => notification).filter(({ id }) => !before.has(id));
  expect(fresh.map(({ title }) => title).sort()).toEqual(told.map((one) => one.happening).sort());
  for (const { id, title: event, type, createdAt } of fresh.toReversed()) {
    expect(createdAt).toBe(now);
    expect(told).toContainEqual({ happening: event, type });
    expect(id).toBeGreaterThan(Math.max(0, ...before.keys()));
    model.set(id, { happening: event, type, createdAt, readAt: isMarked ? 'either' : null });
  }
};

describe('notifications', () => {
  it.each([
    ['sequentially', 1],
    ['concurrently', 5],
  ])('match the model, requested %s', async (_, concurrency) => {
    await fc.assert(
      fc.asyncProperty(fc.array(Batch, { minLength: 5, maxLength: 30 }), async (batches) => {
        // Each run starts on the same day because ids end in 2094.
        vi.setSystemTime(start);
        const users = [await newUser(), await newUser()] as const;
        const models: readonly [Model, Model] = [new Map(), new Map()];
        for (const { afterMs, operations } of batches) {
          advance(afterMs);
          const some = operations.slice(0, concurrency);
          await Promise.all(
            users.map((userId, at) =>
              run(
                some.filter((operation) => operation.who === at),
                userId,
                models[at] as Model,
              ),
            ),
          );
          for (const [at, userId] of users.entries()) await verify(userId, models[at] as Model);
        }
      }),
      { numRuns: 25 },
    );
  });
});
