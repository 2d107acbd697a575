import { describe, expect, it } from 'vitest';
import type { StoredDocument } from '../../../functions/api/documents/document.ts';
import { create, read, update } from '../../../functions/api/documents/documents.ts';
import { type DocumentFilter, list } from '../../../functions/api/documents/list.ts';
import { share, unshare } from '../../../functions/api/documents/sharing.ts';
import { listTrash, moveToTrash, purge, restore } from '../../../functions/api/documents/trash.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { compareNames } from '../../../shared/text/sort-name.ts';
import fc from '../../support/run/properties.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { clearTable } from '../../support/table/clear-table.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();

const change = systemRecorder('document.test');

const actorOf = (id: number, permissions: readonly string[]) =>
  ({
    user: { id, name: `No. ${id}`, role: 'user', status: 'active' },
    permissions,
  }) as unknown as Actor;

/** Two who write, one who only ever reads, and one who manages all. */
const actors = [
  actorOf(1, ['documents:view', 'documents:create', 'documents:update', 'documents:delete']),
  actorOf(2, ['documents:view', 'documents:create', 'documents:update', 'documents:delete']),
  actorOf(3, ['documents:view']),
  actorOf(4, ['documents:*']),
] as const;
/** Which of them only reads. */
const readerAt = 2;
const managerId = 4;

const titles = [
  'Minutes of May',
  'may',
  'Émile 中村',
  'minutes-list 2',
  'B',
  '👋 wave',
  '\ue000 x',
];
const folders = [undefined, 'One', 'Two'];
const searches = ['m', 'MAY', 'may minutes', 'émi', '中', 'wave', 'list 2', 'x'];

const who = fc.nat(3);
const target = fc.nat(5);
const readers: fc.Arbitrary<number[]> = fc.uniqueArray(fc.constantFrom(1, 2, 3, 4), {
  minLength: 1,
});
const visibility = fc.constantFrom('private' as const, 'everyone' as const);
const title = fc.constantFrom(...titles);
const folder = fc.constantFrom(...folders);
const kindOf = <Kind extends string>(kind: Kind) => fc.constant(kind);

const Operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kindOf('create'), who, title, folder, visibility }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kindOf('update'),
      who,
      target,
      edit: fc.oneof(
        title.map((one) => ({ title: one })),
        folder.map((one) => ({ folder: one })),
        visibility.map((one) => ({ visibility: one })),
        fc.record({ title, folder, visibility }),
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kindOf('share'), who, target, readers }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('unshare'), who, target, readers }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('trash'), who, target }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('restore'), who, target }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('purge'), who, target }) },
);
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

/** A document as it has to be. */
type Modelled = Pick<StoredDocument, 'authorId' | 'title' | 'visibility' | 'sharedWith'> & {
  readonly folder?: string | undefined;
  readonly isTrashed: boolean;
};

/** Every document by id. */
type Model = ReadonlyMap<number, Modelled>;

const idAt = (model: Model, at: number): number => [...model.keys()][at % model.size] ?? 0;

const maySee = (userId: number, { authorId, sharedWith, visibility: to }: Modelled): boolean =>
  userId === managerId || userId === authorId || sharedWith.includes(userId) || to === 'everyone';

/** Whoever only reads may update just what they are an editor of, here nothing. */
const mayNever = ({ kind, who: at }: Operation): boolean => kind === 'update' && at === readerAt;

/** What becomes of a document that is there for who asks; `undefined` where it is not. */
const changed = (
  seen: Modelled | undefined,
  operation: Exclude<Operation, { kind: 'create' }>,
  userId: number,
): Modelled | 'gone' | undefined => {
  const isTrashs = operation.kind === 'restore' || operation.kind === 'purge';
  if (!seen || seen.isTrashed !== isTrashs) return undefined;
  if (mayNever(operation)) return undefined;
  if (seen.authorId !== userId && userId !== managerId) return undefined;
  const { authorId, sharedWith } = seen;
  switch (operation.kind) {
    case 'update':
      return { ...seen, ...operation.edit };
    case 'share': {
      const added = operation.readers.filter((id) => id !== authorId && !sharedWith.includes(id));
      return { ...seen, sharedWith: [...sharedWith, ...added] };
    }
    case 'unshare':
      return { ...seen, sharedWith: sharedWith.filter((id) => !operation.readers.includes(id)) };
    case 'purge':
      return 'gone';
    default:
      return { ...seen, isTrashed: operation.kind === 'trash' };
  }
};

const run = async (operation: Operation, model: Model): Promise<number> => {
  const actor = actors[operation.who] as Actor;
  if (operation.kind === 'create') {
    const { title: one, folder: place, visibility: to } = operation;
    const fields = { title: one, folder: place, visibility: to, type: 'text', tags: [] };
    return (await create(actor, { ...fields, content: one }, change)).document.id;
  }
  const id = idAt(model, operation.target);
  const { kind } = operation;
  if (kind === 'update') await update(actor, id, async () => operation.edit, undefined, change);
  if (kind === 'share') await share(actor, id, operation.readers, undefined, change);
  if (kind === 'unshare') await unshare(actor, id, operation.readers, undefined, change);
  if (kind === 'trash') await moveToTrash(actor, id, undefined, change);
  if (kind === 'restore') await restore(actor, id, undefined, change);
  if (kind === 'purge') await purge(actor, id, undefined, change);
  return id;
};

const isRefused = (reason: unknown, code = 'NOT_FOUND'): true => {
  if (!(reason instanceof AppError)) throw reason;
  expect(reason.code).toBe(code);
  return true;
};

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word);
const isFound = ({ title: one }: Modelled, search: string) =>
  wordsIn(search).every((asked) => wordsIn(one).some((word) => word.startsWith(asked)));

const filters: readonly (Omit<DocumentFilter, 'sort'> & {
  readonly has: (document: Modelled) => boolean;
})[] = [
  { has: () => true },
  ...searches.map((search) => ({ search, has: (one: Modelled) => isFound(one, search) })),
  ...['One', 'Two'].map((place) => ({
    folder: place,
    has: (one: Modelled) => one.folder === place,
  })),
  ...[1, 2, 4].map((author) => ({ author, has: (one: Modelled) => one.authorId === author })),
];

const byTitle = (a: readonly [number, Modelled], b: readonly [number, Modelled]) => {
  return compareNames(a[1].title, b[1].title) || a[0] - b[0];
};

/** Every list, search, total and detail of this actor says what the model says. */
const verifyFor = async (actor: Actor, model: Model): Promise<void> => {
  const me = actor.user.id;
  const live = [...model].filter(([, one]) => !one.isTrashed && maySee(me, one));
  const newestFirst = live.toSorted(([a], [b]) => b - a);
  const listed = async (filter: DocumentFilter) => {
    const { items, total, totalIsExact } = await list(actor, filter, { pageSize: 100 });
    return { ids: items.map(({ document }) => document.id), total, totalIsExact };
  };
  const those = (documents: readonly (readonly [number, Modelled])[]) => ({
    ids: documents.map(([id]) => id),
    total: documents.length,
    totalIsExact: true,
  });
  const found = await Promise.all(
    filters.map(({ has: _, ...filter }) => listed({ ...filter, sort: 'createdAt' })),
  );
  expect(found).toEqual(filters.map(({ has }) => those(newestFirst.filter(([, one]) => has(one)))));
  expect(await listed({ sort: 'title' })).toEqual(those(live.toSorted(byTitle)));
  const details = await Promise.all(
    [...model.keys()].map((id) =>
      read(actor, id).then(
        ({ document }) => document.title,
        (reason) => isRefused(reason) && undefined,
      ),
    ),
  );
  expect(details).toEqual(
    [...model].map(([id, one]) => (live.some(([seen]) => seen === id) ? one.title : undefined)),
  );
  const trash = await listTrash(me, { pageSize: 100 });
  const thrownAway = [...model].filter(([, one]) => one.isTrashed && one.authorId === me);
  expect({ ids: trash.items.map(({ id }) => id).sort(), total: trash.total }).toEqual({
    ids: thrownAway.map(([id]) => id).sort(),
    total: thrownAway.length,
  });
};

const verify = async (model: Model): Promise<void> => {
  for (const actor of actors) await verifyFor(actor, model);
};

/** The model that the records tell. */
const stored = async (): Promise<Model> => {
  const records = (await itemsOf('DOCUMENT#')) as unknown as (StoredDocument & { sk: string })[];
  return new Map(
    records
      .filter(({ sk }) => sk === 'DOCUMENT')
      .toSorted((a, b) => a.id - b.id)
      .map((one) => [one.id, { ...one, isTrashed: one.deletedAt !== undefined }]),
  );
};

/** Operations that are sent at the same moment, one or several. */
class AtOnce implements fc.AsyncCommand<{ documents: Model }, object> {
  readonly operations: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
  }

  check = () => true;

  toString = () => JSON.stringify(this.operations);

  async run(model: { documents: Model }): Promise<void> {
    const before = model.documents;
    const outcomes = await Promise.allSettled(this.operations.map((one) => run(one, before)));
    for (const [at, operation] of this.operations.entries()) {
      const one = outcomes[at];
      if (one?.status === 'rejected') {
        isRefused(one.reason, mayNever(operation) ? 'FORBIDDEN' : 'NOT_FOUND');
      }
    }
    model.documents = outcomes.length === 1 ? this.afterOne(before, outcomes[0]) : await stored();
    await verify(model.documents);
  }

  /** One alone does exactly what the model says. */
  afterOne(before: Model, outcome: PromiseSettledResult<number> | undefined): Model {
    const [operation] = this.operations;
    const after = new Map(before);
    if (!operation || !outcome) return after;
    const userId = actors[operation.who]?.user.id ?? 0;
    if (operation.kind === 'create') {
      const { title: one, folder: place, visibility: to } = operation;
      const id = outcome.status === 'fulfilled' ? outcome.value : 0;
      return after.set(id, {
        authorId: userId,
        title: one,
        folder: place,
        visibility: to,
        sharedWith: [],
        isTrashed: false,
      });
    }
    const id = idAt(before, operation.target);
    const document = changed(before.get(id), operation, userId);
    expect(outcome.status).toBe(document ? 'fulfilled' : 'rejected');
    if (document === 'gone') after.delete(id);
    else if (document) after.set(id, document);
    return after;
  }
}

const startAnew = async (): Promise<void> => {
  await clearTable();
  await putItems(actors.map(({ user }) => ({ ...userKeys.record.at({ id: user.id }), ...user })));
};

describe('documents under operations in any order', () => {
  const concurrency = (maxLength: number) =>
    fc.array(Operation, { minLength: 1, maxLength }).map((operations) => new AtOnce(operations));
  const runsOf = (commands: fc.Arbitrary<AtOnce>) => fc.commands([commands], { maxCommands: 12 });
  const check = async (commands: Iterable<fc.AsyncCommand<{ documents: Model }, object>>) => {
    await startAnew();
    await fc.asyncModelRun(() => ({ model: { documents: new Map() }, real: {} }), commands);
  };

  // The time is for finding the shortest run that fails: a run that is interrupted goes on behind the next test.
  const bounds = { numRuns: 10, interruptAfterTimeLimit: 60_000 };

  it('match the model for each of four users, one after the other', async () => {
    await fc.assert(fc.asyncProperty(runsOf(concurrency(1)), check), bounds);
  });

  it('agree with all lists, totals and details, concurrently', async () => {
    await fc.assert(fc.asyncProperty(runsOf(concurrency(6)), check), bounds);
  });
});
