import { describe, expect, it } from 'vitest';
import type { EventEdit } from '../../../functions/api/calendar/events/apply-edit.ts';
import { respond } from '../../../functions/api/calendar/events/attendees.ts';
import { create, remove, update } from '../../../functions/api/calendar/events/events.ts';
import { readOccurrences } from '../../../functions/api/calendar/events/occurrence-list.ts';
import { listOpenTasks } from '../../../functions/api/calendar/events/tasks.ts';
import type { Attendance } from '../../../functions/api/calendar/record/event.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import fc from '../../support/run/properties.ts';
import { putItems, removeItems } from '../../support/table/batch-writes.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { change, updateOne } from '../support/calendar/changes.ts';
import { storedUser } from '../support/users/stored-user.ts';

useTable();

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** All events overlap these weeks. They are past, so that they send no notifications. */
const first = Date.UTC(2026, 0, 5);

const userIds = [1, 2, 3] as const;
const actorOf = (id: number) => ({ user: { id, name: `No. ${id}` } }) as unknown as Actor;

const who = fc.constantFrom(...userIds);
const target = fc.nat(5);
const hours = (max: number) => fc.integer({ min: 0, max }).map((count) => count * 6 * hourMs);
const times = fc.record({
  start: hours(100).map((after) => first + after),
  // Durations: zero, within a day, within a month, longer.
  duration: fc.constantFrom(0, hourMs, 5 * dayMs, 40 * dayMs),
});
const rule = fc.option(
  fc.record({
    every: fc.integer({ min: 1, max: 5 }),
    count: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  }),
  { nil: undefined },
);
const attendees = fc.uniqueArray(who);
const what = fc.record({
  type: fc.constantFrom('meeting' as const, 'task' as const),
  status: fc.constantFrom('pending' as const, 'done' as const),
});
const kindOf = <Kind extends string>(kind: Kind) => fc.constant(kind);

const Operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: kindOf('create'), who, times, rule, attendees, what }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('move'), who, target, times }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('recur'), who, target, rule }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('invite'), who, target, attendees }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('edit'), who, target, what }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kindOf('answer'),
      who,
      target,
      status: fc.constantFrom('accepted' as const, 'declined' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kindOf('moveOne'),
      who,
      target,
      index: fc.nat(8),
      by: fc.constantFrom(0, 3 * hourMs, 9 * dayMs, -30 * dayMs),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kindOf('cancelOccurrence'), who, target, index: fc.nat(8) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('remove'), who, target }) },
);
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

interface Rule {
  readonly every: number;
  readonly count?: number | undefined;
}

/** Expected state of an event. */
interface Modelled {
  readonly ownerId: number;
  readonly start: number;
  readonly duration: number;
  readonly rule: Rule | undefined;
  readonly isOpen: boolean;
  readonly cancelled: readonly number[];
  /** Maps starts by the rule to new starts. */
  readonly moved: ReadonlyMap<number, number>;
  readonly answers: ReadonlyMap<number, Attendance>;
}

/** Contains every event by id. */
type Model = ReadonlyMap<number, Modelled>;

const isStart = ({ start, rule: by }: Modelled, at: number): boolean => {
  if (!by) return false;
  const index = (at - start) / (by.every * dayMs);
  return Number.isInteger(index) && index >= 0 && index < (by.count ?? Number.POSITIVE_INFINITY);
};

/** Resets responses after a change of the times, moves the exceptions and drops those that no longer match the rule. */
const rescheduled = (seen: Modelled, after: Modelled): Modelled => {
  const isSame =
    seen.start === after.start &&
    seen.duration === after.duration &&
    seen.rule?.every === after.rule?.every &&
    seen.rule?.count === after.rule?.count;
  const shift = after.start - seen.start;
  const moved = [...seen.moved].map(([at, to]) => [at + shift, to + shift] as const);
  return {
    ...after,
    cancelled: seen.cancelled.map((at) => at + shift).filter((at) => isStart(after, at)),
    moved: new Map(moved.filter(([at]) => isStart(after, at))),
    answers: isSame
      ? seen.answers
      : new Map([...seen.answers.keys()].map((id) => [id, 'pending' as const])),
  };
};

const invited = (ids: readonly number[], ownerId: number, former: Modelled['answers']) =>
  new Map(ids.filter((id) => id !== ownerId).map((id) => [id, former.get(id) ?? 'pending']));

/** Returns the start of the nth occurrence by the rule. */
const startAt = ({ start, rule: by }: Modelled, index: number): number =>
  start + index * (by?.every ?? 1) * dayMs;

/** Returns the event after an operation, or `undefined` if the user has no access. */
const changed = (
  seen: Modelled | undefined,
  operation: Exclude<Operation, { kind: 'create' }>,
): Modelled | 'gone' | undefined => {
  if (!seen) return undefined;
  if (operation.kind === 'answer') {
    if (!seen.answers.has(operation.who)) return undefined;
    return { ...seen, answers: new Map(seen.answers).set(operation.who, operation.status) };
  }
  if (seen.ownerId !== operation.who) return undefined;
  switch (operation.kind) {
    case 'move':
      return rescheduled(seen, { ...seen, ...operation.times });
    case 'recur':
      return rescheduled(seen, { ...seen, rule: operation.rule });
    case 'invite':
      return { ...seen, answers: invited(operation.attendees, seen.ownerId, seen.answers) };
    case 'edit': {
      const { type, status } = operation.what;
      return { ...seen, isOpen: type === 'task' && status !== 'done' };
    }
    case 'remove':
      return 'gone';
    default: {
      const at = startAt(seen, operation.index);
      if (!isStart(seen, at) || seen.cancelled.includes(at)) return undefined;
      const moved = new Map(seen.moved);
      moved.delete(at);
      if (operation.kind === 'cancelOccurrence') {
        return { ...seen, moved, cancelled: [...seen.cancelled, at] };
      }
      if (operation.by !== 0) moved.set(at, at + operation.by);
      return { ...seen, moved };
    }
  }
};

const iso = (ms: number) => new Date(ms).toISOString();
const timesOf = ({ start, duration }: Pick<Modelled, 'start' | 'duration'>) => ({
  start: iso(start),
  end: iso(start + duration),
});
const textOf = (by: Rule | undefined) =>
  by && `FREQ=DAILY;INTERVAL=${by.every}${by.count === undefined ? '' : `;COUNT=${by.count}`}`;

const idAt = (model: Model, at: number): number => [...model.keys()][at % model.size] ?? 0;

const run = async (operation: Operation, model: Model): Promise<number> => {
  const actor = actorOf(operation.who);
  if (operation.kind === 'create') {
    const fields = {
      ...{ title: 'An event', description: undefined, color: undefined, location: undefined },
      ...{ priority: 'medium' as const, reminders: [], ...operation.what },
    };
    const given = { ...timesOf(operation.times), rrule: textOf(operation.rule) };
    return (await create(actor, fields, given, operation.attendees, change)).id;
  }
  const id = idAt(model, operation.target);
  const edit = (some: EventEdit) =>
    update(actor, { id, occurrenceStart: undefined }, () => some, undefined, change);
  const seen = model.get(id);
  const named = (index: number) => iso(seen ? startAt(seen, index) : first);
  switch (operation.kind) {
    case 'move':
      await edit({ times: timesOf(operation.times) });
      break;
    case 'recur':
      await edit({ times: { rrule: textOf(operation.rule) } });
      break;
    case 'invite':
      await edit({ attendeeIds: operation.attendees });
      break;
    case 'edit':
      await edit({ fields: operation.what });
      break;
    case 'answer':
      await respond(actor, id, { status: operation.status }, undefined, change);
      break;
    case 'moveOne': {
      const start = iso(Date.parse(named(operation.index)) + operation.by);
      await updateOne(actor, id, named(operation.index), { start });
      break;
    }
    case 'cancelOccurrence':
      await updateOne(actor, id, named(operation.index), 'cancel');
      break;
    default:
      await remove(actor, id, undefined, change);
  }
  return id;
};

const isNotFound = (reason: unknown): true => {
  if (!(reason instanceof AppError)) throw reason;
  expect(reason.code).toBe('NOT_FOUND');
  return true;
};

/** Applies an operation to the service, checks its result and returns the new model. */
const apply = async (operation: Operation, model: Model): Promise<Model> => {
  if (operation.kind === 'create') {
    const { times: when, rule: by, what: kind, attendees: ids } = operation;
    const modelled: Modelled = {
      ownerId: operation.who,
      ...when,
      rule: by,
      isOpen: kind.type === 'task' && kind.status !== 'done',
      cancelled: [],
      moved: new Map(),
      answers: invited(ids, operation.who, new Map()),
    };
    return new Map(model).set(await run(operation, model), modelled);
  }
  const id = idAt(model, operation.target);
  const after = changed(model.get(id), operation);
  const refused = await run(operation, model).then(() => false, isNotFound);
  expect(refused, JSON.stringify(operation)).toBe(after === undefined);
  const next = new Map(model);
  if (after === 'gone') next.delete(id);
  else if (after) next.set(id, after);
  return next;
};

interface Window {
  readonly start: number;
  readonly end: number;
}

const startsOf = (event: Modelled, { end }: Window): number[] => {
  if (!event.rule) return [event.start];
  const starts: number[] = [...event.moved.values()];
  for (let index = 0; startAt(event, index) < end; index++) {
    const at = startAt(event, index);
    if (!isStart(event, at)) break;
    if (!event.cancelled.includes(at) && !event.moved.has(at)) starts.push(at);
  }
  return starts;
};

/** Returns the expected occurrences of a user in a window, in any order. */
const seenIn = (model: Model, userId: number, window: Window): string[] =>
  [...model]
    .filter(([, { ownerId, answers: responses }]) => ownerId === userId || responses.has(userId))
    .flatMap(([id, event]) =>
      startsOf(event, window)
        .filter((at) => {
          const over = at + event.duration;
          return at < window.end && (over > window.start || at >= window.start);
        })
        .map((at) => `${id} ${iso(at)} ${event.answers.get(userId) ?? 'own'}`),
    )
    .sort();

const windows: readonly Window[] = [
  { start: first, end: first + 2 * dayMs },
  { start: first + 10 * dayMs, end: first + 20 * dayMs },
  { start: first - 40 * dayMs, end: first },
  { start: first + 60 * dayMs, end: first + 70 * dayMs },
];

const check = async (model: Model): Promise<void> => {
  for (const userId of userIds) {
    for (const window of windows) {
      const { occurrences, isTruncated } = await readOccurrences(userId, {
        ...window,
        timezone: 'UTC',
      });
      const found = occurrences.map(({ event, start }) => {
        const own = event.attendees.find(({ id }) => id === userId)?.status;
        return `${event.id} ${iso(start)} ${own ?? 'own'}`;
      });
      expect([found.sort(), isTruncated]).toEqual([seenIn(model, userId, window), false]);
    }
    const tasks = [...model].filter(([, { ownerId, isOpen }]) => ownerId === userId && isOpen);
    expect((await listOpenTasks(userId)).map(({ event }) => event.id).sort()).toEqual(
      tasks.map(([id]) => id).sort(),
    );
  }
  const open = [...model.values()].filter(({ isOpen }) => isOpen).length;
  expect(await readTotal('pendingTasks')).toBe(open);
};

/** Deletes the data of earlier runs and creates the users. */
const begin = async (): Promise<void> => {
  for (const prefix of ['EVENT#', 'CALENDAR#', 'TOTAL#', 'AUDIT#', 'OUTBOX']) {
    await removeItems(await itemsOf(prefix));
  }
  await putItems(userIds.map(storedUser));
};

describe('generated operations on events', () => {
  it('keep every calendar equal to the model', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(Operation, { minLength: 6, maxLength: 25, size: 'max' }),
        async (operations) => {
          await begin();
          let model: Model = new Map();
          for (const [at, operation] of operations.entries()) {
            model = await apply(operation, model);
            if (at % 5 === 4) await check(model);
          }
          await check(model);
          // One entry for each user with access, and one for each open task.
          const places = [...model.values()].reduce(
            (sum, { answers: responses, isOpen }) => sum + 1 + responses.size + (isOpen ? 1 : 0),
            0,
          );
          expect(await itemsOf('CALENDAR#')).toHaveLength(places);
          expect(await itemsOf('EVENT#')).toHaveLength(model.size);
        },
      ),
      { numRuns: 40 },
    );
  });
});
