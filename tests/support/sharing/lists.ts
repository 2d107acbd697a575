import { expect } from 'vitest';
import { pass } from '../run/virtual-time.ts';
import type { Person } from '../users/test-users.ts';
import type { RecordType } from './record-types.ts';
import type { createRequests, Query } from './requests.ts';

type Requests = ReturnType<typeof createRequests>;

/** The caller, the query and the names of the expected records. */
export type ListCase = readonly [person: Person, query: Query, names: readonly string[]];

/** Checks that each list has its records once each on one page, with the total. */
export const expectLists = async (
  { listed }: Requests,
  ids: Readonly<Record<string, number>>,
  cases: readonly ListCase[],
): Promise<void> => {
  for (const [person, query, names] of cases) {
    const expected = { ids: names.map((name) => ids[name]), total: names.length };
    expect([query, await listed(person, query)]).toEqual([query, expected]);
  }
};

/** Checks that each list leads through its records one by one. */
export const expectWalks = async (
  { walk }: Requests,
  ids: Readonly<Record<string, number>>,
  cases: readonly ListCase[],
  by: 'page' | 'cursor',
): Promise<void> => {
  for (const [person, query, names] of cases) {
    const walked = await walk(person, { ...query, pageSize: '1' }, by);
    expect([query, walked]).toEqual([query, names.map((name) => ids[name])]);
  }
};

/** Checks that the cursor of each query is valid for it only, and not for another caller. */
export const expectOwnCursors = async (
  { list }: Requests,
  caller: Person,
  other: Person,
  queries: readonly Query[],
): Promise<void> => {
  for (const query of queries) {
    const { nextCursor: cursor } = (await list(caller, { ...query, pageSize: '1' })).body.data;
    for (const asked of queries) {
      const { status } = await list(caller, { ...asked, cursor });
      expect([query, asked, status]).toEqual([query, asked, query === asked ? 200 : 400]);
    }
    expect((await list(other, { ...query, cursor })).status).toBe(400);
  }
};

/** Creates records of two owners and a manager, some shared with a reader, some public. */
export const createSharedRecords = async ({
  newOwner,
  newReader,
  newManager,
  ...recordType
}: RecordType) => {
  const [ann, bob] = [await newOwner('Ann Owner'), await newOwner('Bob Owner')];
  const [rea, manager] = [await newReader(), await newManager()];
  const ids: Record<string, number> = {};
  const make = async (owner: Person, name: string, readers: readonly Person[] = []) => {
    pass(1);
    const id = await recordType.newRecord(owner, name);
    ids[name] = id;
    if (readers.length > 0) {
      const shared = await recordType.share(
        owner,
        id,
        readers.map((reader) => reader.id),
      );
      expect(shared.status).toBe(200);
    }
    if (name.endsWith('for all')) await recordType.change(owner, id, { visibility: 'everyone' });
  };
  await make(ann, 'Ann plans');
  await make(ann, 'Plans for all');
  await make(ann, 'Plans for Rea', [rea]);
  await make(bob, 'bob-plan');
  await make(bob, 'A plan of Bob for Rea and Ann', [rea, ann]);
  await make(bob, 'The house, for all', [rea]);
  await make(manager, "Max's plan");
  return { ann, bob, rea, manager, ids };
};

/** What the people of `createSharedRecords` see, newest first. */
export const seenByRea = [
  'The house, for all',
  'A plan of Bob for Rea and Ann',
  'Plans for Rea',
  'Plans for all',
];
export const seenByAnn = [...seenByRea, 'Ann plans'];
export const seenByManager = ["Max's plan", ...seenByAnn.toSpliced(2, 0, 'bob-plan')];
