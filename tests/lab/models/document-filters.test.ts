import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { getCounts } from '../../../functions/api/documents/counters.ts';
import type { StoredDocument } from '../../../functions/api/documents/document.ts';
import { listEntries } from '../../../functions/api/documents/index-entries.ts';
import { countSteps } from '../../../shared/counters/counter.ts';
import { diffIndexEntries } from '../../../shared/lists/index-entries.ts';
import { chooseNarrowest, mergeSources } from '../../../shared/lists/list-partitions.ts';
import { mockTable } from '../../support/aws/errors.ts';
import {
  change,
  list,
  listed,
  made,
  newAuthor,
  newManager,
  newReader,
  share,
  trash,
  walk,
} from '../../support/documents/documents.ts';
import { newDocument } from '../../support/documents/stored.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

type Query = Readonly<Record<string, string>>;

interface Filed {
  readonly id: number;
  readonly type: string;
  readonly tags: readonly string[];
  readonly folder: string | undefined;
  readonly seenBy: readonly Person[];
}

const types = ['text', 'note'];
const tags = ['red', 'blue', 'Grün & gelb'];
const folders = ['A', 'B#C'];
const pick = <Item>(items: readonly Item[], at: number) => items[at % items.length] as Item;

const { ann, rea, manager } = usePeople({ ann: newAuthor, rea: newReader, manager: newManager });
/** In the order they were made. */
const model: Filed[] = [];

beforeAll(async () => {
  const bob = await newAuthor('Bob Owner');
  for (let at = 0; at < 36; at++) {
    const author = pick([ann, bob], at);
    const fields = {
      type: pick(types, at >> 1),
      tags: tags.filter((_, bit) => (at >> bit) % 2 === 1),
      folder: pick([undefined, ...folders], at),
    };
    const visibility = at % 5 === 0 ? 'everyone' : 'private';
    const id = await made(author, { title: `No ${at}`, visibility, ...fields });
    const isShared = at % 7 === 0;
    if (isShared) await share(author, id, [rea.id, ...(author === bob ? [ann.id] : [])]);
    const isSeen = isShared || visibility === 'everyone';
    const seenBy = [author, manager, ...(isSeen ? [rea, ann] : [])];
    model.push({ id, ...fields, seenBy });
  }
  // What is changed or trashed is on no list where it was.
  const [changed, trashed] = [model[3], model[8]] as [Filed, Filed];
  await change(bob, changed.id, { type: 'note', tags: ['blue'], folder: 'A' });
  model[3] = { ...changed, type: 'note', tags: ['blue'], folder: 'A' };
  await trash(ann, trashed.id);
  model.splice(8, 1);
});

const choices = (name: string, values: readonly string[]): Query[] => [
  {},
  ...values.map((value) => ({ [name]: value })),
];

const queries = choices('type', [...types, 'none']).flatMap((type) =>
  choices('tag', tags).flatMap((tag) =>
    choices('folder', folders).map((folder) => ({ ...type, ...tag, ...folder })),
  ),
);

const expected = (who: Person, { type, tag, folder, sort }: Query): number[] => {
  const ids = model
    .filter((one) => one.seenBy.includes(who))
    .filter((one) => type === undefined || one.type === type)
    .filter((one) => tag === undefined || one.tags.includes(tag))
    .filter((one) => folder === undefined || one.folder === folder)
    .map(({ id }) => id)
    .toSorted((a, b) => b - a);
  return sort === '-createdAt' ? ids.toReversed() : ids;
};

describe('GET /api/documents by type, tag and folder', () => {
  it('lists documents that match all filters, for each viewer, with the exact total', async () => {
    for (const who of [ann, rea, manager]) {
      for (const query of queries) {
        const ids = expected(who, query);
        expect([query, await listed(who, query)]).toEqual([query, { ids, total: ids.length }]);
      }
    }
  });

  it.each(['page', 'cursor'] as const)('leads through each list by %s, once each', async (by) => {
    for (const who of [ann, rea, manager]) {
      for (const query of queries.flatMap((one) => [one, { ...one, sort: '-createdAt' }])) {
        const walked = await walk(who, { ...query, pageSize: '3' }, by);
        expect([query, walked]).toEqual([query, expected(who, query)]);
      }
    }
  });

  it('continues if another filter has become the narrowest', async () => {
    const [eve, query] = [await newAuthor('Eve'), { type: 'x', tag: 'y', pageSize: '2' }];
    const ids: number[] = [];
    for (let at = 0; at < 5; at++) ids.push(await made(eve, { type: 'x', tags: ['y'] }));
    ids.sort((a, b) => b - a);
    await made(eve, { type: 'x' });
    const first = (await list(eve, query)).body.data;
    expect(first.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    for (let at = 0; at < 3; at++) await made(eve, { tags: ['y'] });
    const second = (await list(eve, { ...query, cursor: first.nextCursor })).body.data;
    expect(second.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2, 4));
  });

  it.each([
    [{ search: 'x', type: 'text' }, 'type'],
    [{ search: 'x', tag: 'red' }, 'tag'],
    [{ tag: 'red', sort: 'title' }, 'sort'],
    [{ type: 'text', sort: '-name' }, 'sort'],
    [{ tag: 'x'.repeat(51) }, 'tag'],
  ])('refuses %j because of %s', async (query: Query, field) => {
    const { status, body } = await list(ann, query);
    expect([status, body.error.details]).toEqual([400, [{ field, message: expect.any(String) }]]);
  });

  it('costs as much as the narrowest filter', async () => {
    const fay = await newAuthor('Fay');
    const meter = meterAws();
    const measure = async () => {
      const { result, readUnits, requests } = await meter.measure(() =>
        list(fay, { type: 'text', tag: 'rare' }),
      );
      expect(result.body.data.items).toHaveLength(2);
      return { readUnits, requests: requests.table };
    };
    for (let at = 0; at < 2; at++) await made(fay, { type: 'text', tags: ['rare'] });
    await made(fay, { type: 'text' });
    const few = await measure();
    for (let at = 0; at < 12; at++) await made(fay, { type: 'text', tags: ['common'] });
    const many = await measure();
    meter.stop();
    expect(many.requests).toBe(few.requests);
    // The list of the type is counted, to 1 000 at most, to know that it is the longer one.
    expect(many.readUnits - few.readUnits).toBeLessThanOrEqual(2);
  });
});

describe('a document with the maximum of words, tags and readers', () => {
  const document = (at: number, fields: Partial<StoredDocument>): StoredDocument =>
    newDocument({
      id: 7,
      authorId: 1,
      title: Array.from({ length: 40 }, (_, word) => `w${at}x${word}`).join(' '),
      type: `type ${at}`,
      folder: `folder ${at}`,
      tags: Array.from({ length: 20 }, (_, tag) => `tag ${at} ${tag}`),
      sharedWith: Array.from({ length: 20 }, (_, user) => 100 + user),
      ...fields,
    });
  /** Beside places and counts: the record, its content in two, the job of sharing, and three of the audit. */
  const others = 7;
  const writesOf = (before: StoredDocument | undefined, after: StoredDocument | undefined) =>
    diffIndexEntries(before ? listEntries(before) : [], after ? listEntries(after) : []).length +
    countSteps(getCounts(before), getCounts(after)).length +
    others;

  it.each([
    [
      'made everyone’s with all else changed',
      document(0, {}),
      document(1, { visibility: 'everyone' }),
    ],
    [
      'made private with all else changed',
      document(0, { visibility: 'everyone' }),
      document(1, {}),
    ],
    ['handed to another author', document(0, {}), document(0, { authorId: 2 })],
    ['trashed', document(0, {}), document(0, { deletedAt: '2026-01-02T00:00:00.000Z' })],
    ['shared with 20', document(0, { sharedWith: [] }), document(0, {})],
    [
      'without tags and readers, and changed',
      document(0, { tags: [], sharedWith: [] }),
      document(1, { tags: [], sharedWith: [], visibility: 'everyone' }),
    ],
  ])('fits into one transaction when it is %s', (_, before, after) => {
    expect(writesOf(before, after)).toBeLessThanOrEqual(100);
  });
});

describe('a filtered list that stops early', () => {
  const sk = (at: number) => String(at).padStart(4, '0');

  it('continues where it stopped and omits nothing', async () => {
    const table = mockTable();
    const fits = (at: number) => at % 90 === 0;
    table.on(QueryCommand).callsFake(async (input: QueryCommandInput) => {
      const { ExclusiveStartKey: from, ExpressionAttributeValues: values, Limit = 0 } = input;
      const after = Number(from?.['sk'] ?? values?.[':after'] ?? -1);
      const seen = Array.from({ length: Math.min(Limit, 10) }, (__, at) => after + 1 + at);
      const there = seen.filter((at) => at < 300);
      const last = there.at(-1) ?? 300;
      return {
        Items: there.filter(fits).map((at) => ({ pk: 'P', sk: sk(at) })),
        // Each place counts for 1 000 that were looked at.
        ScannedCount: there.length * 1_000,
        ...(last < 299 && { LastEvaluatedKey: { pk: 'P', sk: sk(last) } }),
      };
    });
    const source = mergeSources([{ pk: 'P' }, { pk: 'Q' }], undefined, false, {
      equal: { type: 'x' },
    });
    const found = new Set<unknown>();
    let from: Record<string, unknown> | undefined;
    let slices = 0;
    do {
      const { items, stoppedAt } = await source(3, from, false);
      for (const item of items) found.add(item['sk']);
      from = stoppedAt;
      slices++;
    } while (from);
    expect([...found]).toEqual([0, 90, 180, 270].map(sk));
    expect(slices).toBeGreaterThan(5);
    table.restore();
  });

  it('is read by the narrowest filter, and by a single one without counting', async () => {
    const table = mockTable();
    const lengths: Readonly<Record<string, number>> = { A: 30, B: 2, C: 2 };
    table.on(QueryCommand).callsFake(async ({ ExpressionAttributeValues: values }) => ({
      Count: lengths[values[':pk']],
    }));
    const lists = Object.keys(lengths).map((pk) => ({ pk }));
    expect(await chooseNarrowest(lists)).toEqual({ pk: 'B' });
    expect(await chooseNarrowest(lists.slice(0, 1))).toEqual({ pk: 'A' });
    expect(table.calls()).toHaveLength(3);
    table.restore();
  });
});
