import { describe, expect, it, vi } from 'vitest';
import { purge, remove } from '../../../functions/api/files/delete.ts';
import { type FileFilter, list } from '../../../functions/api/files/list.ts';
import type { StoredFile } from '../../../functions/api/files/record/file.ts';
import { createFolder, read, update } from '../../../functions/api/files/record/files.ts';
import { folderPath, toTree } from '../../../functions/api/files/record/folders.ts';
import { fileKeys } from '../../../functions/api/files/record/keys.ts';
import { readUsage } from '../../../functions/api/files/record/usage.ts';
import { listTrash, restore } from '../../../functions/api/files/trash.ts';
import { presign } from '../../../functions/api/files/uploads/direct-upload.ts';
import { upload } from '../../../functions/api/files/uploads/upload.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { objectKeys } from '../../support/files/files.ts';
import fc from '../../support/run/properties.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { clearTable } from '../../support/table/clear-table.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();
useBucket();

const change = systemRecorder('file.test');
const quota = 1_024;

const actorOf = (id: number, permissions: readonly string[]) =>
  ({
    user: { id, name: `No. ${id}`, role: 'user', status: 'active' },
    permissions,
  }) as unknown as Actor;

/** Two who keep files, one who only ever reads, and one who manages all. */
const actors = [
  actorOf(1, ['files:view', 'files:create', 'files:update', 'files:delete']),
  actorOf(2, ['files:view', 'files:create', 'files:update', 'files:delete']),
  actorOf(3, ['files:view']),
  actorOf(4, ['files:*']),
] as const;
const managerId = 4;

const who = fc.nat(3);
const target = fc.nat(7);
const name = fc.constantFrom('plan one', 'Plan', 'émile.txt', 'B');
/** Paths that may be there or not. */
const folder = fc.constantFrom('', '', 'A', 'A/B', 'B', 'B/A');
const size = fc.constantFrom(0, 1, 100, 400);
const kindOf = <Kind extends string>(kind: Kind) => fc.constant(kind);

const Operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kindOf('upload'), who, name, folder, size }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('presign'), who, name, folder, size }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kindOf('folder'),
      who,
      name: fc.constantFrom('A', 'B'),
      folder,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kindOf('update'),
      who,
      target,
      edit: fc.oneof(
        name.map((one) => ({ name: one })),
        fc.constantFrom('A', 'B').map((one) => ({ name: one })),
        folder.map((one) => ({ folder: one })),
        fc.constantFrom('private' as const, 'everyone' as const).map((one) => ({
          visibility: one,
        })),
        fc.boolean().map((one) => ({ isFavorite: one })),
        fc.subarray([1, 2, 3, 4]).map((ids) => ({ sharedWith: ids })),
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kindOf('remove'), who, target }) },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('restore'), who, target }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('purge'), who, target }) },
);
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

/** The records, in the order of their ids. */
const records = async (): Promise<StoredFile[]> =>
  ((await itemsOf('FILE#')) as unknown as (StoredFile & { sk: string })[])
    .filter(({ sk }) => sk === 'FILE')
    .toSorted((a, b) => a.id - b.id);

const run = async (operation: Operation, ids: readonly number[]): Promise<unknown> => {
  const actor = actors[operation.who] as Actor;
  const { kind } = operation;
  if (kind === 'upload') {
    const { name: one, folder: place } = operation;
    const bytes = Buffer.alloc(operation.size, 'x');
    return upload(actor, { name: one, folder: place, bytes }, change);
  }
  if (kind === 'presign') {
    const { name: one, folder: place } = operation;
    const announced = { contentType: 'text/plain', checksum: undefined, size: operation.size };
    return presign(actor, { name: one, folder: place, ...announced }, change);
  }
  if (kind === 'folder') {
    return createFolder(actor, { name: operation.name, folder: operation.folder }, change);
  }
  const id = ids[operation.target % ids.length] ?? 0;
  if (kind === 'update') return update(actor, id, async () => operation.edit, undefined, change);
  const act = { remove, restore, purge }[kind];
  return act(actor, id, undefined, change);
};

/** What a request may be refused with; anything else is a fault of ours. */
const refusals = ['NOT_FOUND', 'VALIDATION_ERROR', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'];

const isRefused = (reason: unknown): void => {
  if (!(reason instanceof AppError)) throw reason;
  expect(refusals).toContain(reason.code);
};

const maySee = (userId: number, { ownerId, sharedWith, visibility }: StoredFile): boolean =>
  userId === managerId ||
  userId === ownerId ||
  sharedWith.includes(userId) ||
  visibility === 'everyone';

const hasWord = ({ name: one }: StoredFile, asked: string) =>
  one
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word !== '' && word.startsWith(asked));

/** Every list, total and detail of this actor says what the records say. */
const verifyFor = async (actor: Actor, ready: readonly StoredFile[]): Promise<void> => {
  const me = actor.user.id;
  const seen = ready.filter((file) => maySee(me, file)).toReversed();
  const listed = async (filter: FileFilter) => {
    const { items, total } = await list(actor, filter, { pageSize: 100 });
    return { ids: items.map(({ file }) => file.id), total };
  };
  const those = (files: readonly StoredFile[]) => ({
    ids: files.map(({ id }) => id),
    total: files.length,
  });
  const sort = 'createdAt' as const;
  expect(await listed({ sort })).toEqual(those(seen));
  for (const search of ['plan', 'émi', 'b']) {
    expect(await listed({ sort, search })).toEqual(those(seen.filter((f) => hasWord(f, search))));
  }
  for (const type of ['folder', 'document', 'other'] as const) {
    expect(await listed({ sort, type })).toEqual(those(seen.filter((f) => f.type === type)));
  }
  const own = seen.filter(({ ownerId }) => ownerId === me);
  expect(await listed({ sort, favorite: true })).toEqual(those(own.filter((f) => f.isFavorite)));
  const inNone = own.filter(({ folderId }) => folderId === undefined);
  expect(await listed({ sort, folder: '/' })).toEqual(those(inNone));
  const byName = await listed({ sort: 'name' });
  expect({ ids: byName.ids.toSorted((a, b) => b - a), total: byName.total }).toEqual(those(seen));
  for (const { id } of ready) {
    const isSeen = await read(actor, id).then(
      () => true,
      (reason) => {
        isRefused(reason);
        return false;
      },
    );
    expect(isSeen).toBe(seen.some((file) => file.id === id));
  }
};

/** What is kept of an owner beside the records agrees with them: the folders, what lies in them, the usage. */
const verifyOwner = async (ownerId: number, files: readonly StoredFile[]): Promise<void> => {
  const own = files.filter((file) => file.ownerId === ownerId);
  const [item] = await batchGet([fileKeys.folders.at({ userId: ownerId })]);
  const tree = toTree(item);
  const ready = own.filter(({ status }) => status === 'ready');
  const folders = ready.filter(({ type }) => type === 'folder');
  expect(tree.folders).toEqual(
    Object.fromEntries(
      folders.map(({ id, name: one, folderId }) => [
        id,
        { name: one, ...(folderId !== undefined && { parent: folderId }) },
      ]),
    ),
  );
  const paths = folders.map(({ id }) => folderPath(tree, id).join('/'));
  expect(new Set(paths).size).toBe(paths.length);
  for (const { id } of folders) {
    expect(folderPath(tree, id).length).toBeGreaterThan(0);
    const [children] = await batchGet([fileKeys.children.at({ id })]);
    const inIt = ready.filter(({ folderId }) => folderId === id);
    expect(children?.['count']).toBe(inIt.length);
  }
  for (const { folderId } of ready) {
    if (folderId !== undefined) expect(folders.some(({ id }) => id === folderId)).toBe(true);
  }
  const used = own.reduce((sum, file) => sum + file.size, 0);
  const trashed = own.filter(({ status }) => status === 'trashed');
  expect(await readUsage(ownerId)).toEqual({
    submitted: 0,
    used,
    trashed: trashed.reduce((sum, file) => sum + file.size, 0),
    quota,
    files: ready.length - folders.length,
  });
  const { items, total } = await listTrash(ownerId, { pageSize: 100 });
  expect(items.map(({ file }) => file.id).toSorted()).toEqual(
    trashed.map(({ id }) => id).toSorted(),
  );
  expect(total).toBe(trashed.length);
  expect(used).toBeLessThanOrEqual(quota);
};

const verify = async (): Promise<void> => {
  const files = await records();
  const ready = files.filter(({ status }) => status === 'ready');
  for (const actor of actors) await verifyFor(actor, ready);
  for (const { user } of actors) await verifyOwner(user.id, files);
  const scheduled = (await itemsOf('DELETIONS')).map(({ key }) => key);
  const stored = files.filter(({ status }) => status === 'ready' || status === 'trashed');
  const kept = stored.flatMap(({ object }) => (object === undefined ? [] : [object]));
  const keysThere = await objectKeys();
  for (const key of kept) {
    expect(keysThere).toContain(key);
    expect(scheduled).not.toContain(key);
  }
  for (const key of keysThere) if (!kept.includes(key)) expect(scheduled).toContain(key);
};

const startAnew = async (): Promise<void> => {
  // Objects of former runs are still there, so their deletion stays scheduled.
  await clearTable('DELETIONS');
  await putItems(actors.map(({ user }) => ({ ...userKeys.record.at({ id: user.id }), ...user })));
};

describe('files under concurrent operations in any order', () => {
  it('agree with every list, total, folder, usage and object', async () => {
    vi.stubEnv('FILES_QUOTA', '1KB');
    const rounds = fc.array(fc.array(Operation, { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 10,
    });
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        for (const { id, ownerId } of await records()) {
          const owner = actors.find(({ user }) => user.id === ownerId);
          if (!owner) continue;
          await remove(owner, id, undefined, change).catch(isRefused);
          await purge(owner, id, undefined, change).catch(isRefused);
        }
        await startAnew();
        for (const operations of all) {
          const ids = (await records()).map(({ id }) => id);
          const outcomes = await Promise.allSettled(operations.map((one) => run(one, ids)));
          for (const one of outcomes) if (one.status === 'rejected') isRefused(one.reason);
          await verify();
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 90_000 },
    );
    vi.unstubAllEnvs();
  });
});
