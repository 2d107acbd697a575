import fc from '../../../support/run/properties.ts';

export const userIds = [1, 2, 3, 4] as const;

const who = fc.constantFrom(...userIds);
const target = fc.nat(7);
const kindOf = <Kind extends string>(kind: Kind) => fc.constant(kind);

export const Operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kindOf('send'),
      who,
      to: fc.uniqueArray(who, { minLength: 1 }),
      isLong: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kindOf('reply'),
      who,
      target,
      to: fc.uniqueArray(who, { minLength: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kindOf('mark'), who, target, isRead: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: kindOf('remove'), who, target }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('deliver'), who, target }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('receive'), who }) },
);
export type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

/** Expected state of a copy. */
interface Copy {
  readonly conversationId: number;
  readonly isIn: boolean;
  readonly isOut: boolean;
  readonly isRead: boolean;
}

/** All messages ever sent, in order, with their copies by user, and the number of notifications by user. */
export interface Model {
  readonly messages: ReadonlyMap<number, ReadonlyMap<number, Copy>>;
  readonly told: ReadonlyMap<number, number>;
}

export const nothing: Model = { messages: new Map(), told: new Map() };

export const idAt = ({ messages }: Model, at: number): number =>
  messages.size === 0 ? 0 : ([...messages.keys()][at % messages.size] ?? 0);

/** Returns the model with the copies of a new or changed message. */
export const withCopies = (model: Model, id: number, copies: ReadonlyMap<number, Copy>): Model => ({
  ...model,
  messages: new Map([...model.messages, [id, copies] as const].toSorted(([a], [b]) => a - b)),
});

export const withSent = (
  model: Model,
  id: number,
  { who: from, to }: { readonly who: number; readonly to: readonly number[] },
  conversationId: number,
): Model => {
  const copies = new Map(
    [...new Set([from, ...to])].map((userId) => [
      userId,
      { conversationId, isIn: to.includes(userId), isOut: userId === from, isRead: false },
    ]),
  );
  const told = new Map(model.told);
  for (const userId of to) if (userId !== from) told.set(userId, (told.get(userId) ?? 0) + 1);
  return { ...withCopies(model, id, copies), told };
};

/** Returns the expected error code of an operation, if any. */
export const refusal = (operation: Operation, model: Model): string | undefined => {
  if (operation.kind === 'send' || operation.kind === 'deliver' || operation.kind === 'receive') {
    return undefined;
  }
  const copy = model.messages.get(idAt(model, operation.target))?.get(operation.who);
  if (!copy) return operation.kind === 'reply' ? 'VALIDATION_ERROR' : 'NOT_FOUND';
  const isOwn = operation.kind === 'mark' && !operation.isRead && !copy.isIn;
  return isOwn ? 'VALIDATION_ERROR' : undefined;
};

const copiesOf = ({ messages }: Model, userId: number) =>
  [...messages]
    .flatMap(([id, copies]) => {
      const copy = copies.get(userId);
      return copy ? [{ id, ...copy }] : [];
    })
    .toReversed();

/** Returns the mailbox of a user that the API must return. */
export const expected = (userId: number, model: Model) => {
  const copies = copiesOf(model, userId);
  type Mine = (typeof copies)[number];
  const isNew = ({ isIn, isRead }: Mine) => isIn && !isRead;
  const page = (items: readonly Mine[]) => ({
    items: items.map((one) => ({ id: one.id, isUnread: isNew(one) })),
    total: items.length,
  });
  const exact = (items: readonly Mine[]) => ({ ...page(items), totalIsExact: true });
  const ids = [...new Set(copies.map(({ conversationId }) => conversationId))];
  const threads = ids.map((id) => copies.filter(({ conversationId }) => conversationId === id));
  const notified = model.told.get(userId) ?? 0;
  return {
    unreadCount: copies.filter(isNew).length,
    inbox: exact(copies.filter(({ isIn }) => isIn)),
    sent: exact(copies.filter(({ isOut }) => isOut)),
    all: exact(copies),
    unread: exact(copies.filter(isNew)),
    conversations: {
      items: threads.map((thread, at) => ({
        id: ids[at],
        latest: thread[0]?.id,
        messages: thread.length,
        unread: thread.filter(isNew).length,
      })),
      total: ids.length,
    },
    threads: threads.map(page),
    there: [...model.messages.values()].map((each) => each.has(userId)),
    notifications: [notified, notified],
  };
};

/** Keeps only the first operation on each copy, because the order of concurrent operations is unknown. */
export const apart = (operations: readonly Operation[], model: Model): Operation[] => {
  const touched = new Set<string>();
  return operations.filter((one) => {
    if (one.kind !== 'mark' && one.kind !== 'remove' && one.kind !== 'reply') return true;
    const copy = `${one.who} ${idAt(model, one.target)}`;
    return touched.size < touched.add(copy).size;
  });
};
