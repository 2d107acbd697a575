import {
  type ScanCommandOutput,
  type TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventKeys } from '../../../functions/api/calendar/record/keys.ts';
import { fileKeys } from '../../../functions/api/files/record/keys.ts';
import { saleKeys } from '../../../functions/api/sales/keys.ts';
import { findCounter } from '../../../functions/jobs/recount/found-counter.ts';
import { type Recount, recount } from '../../../functions/jobs/recount/recount.ts';
import type { Item } from '../../../functions/jobs/recount/user-recount.ts';
import { counterKeys } from '../../../shared/counters/keys.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { made as madeEvent } from '../../support/calendar/calendar.ts';
import { newViewer, shown } from '../../support/dashboard/dashboard.ts';
import {
  made as madeDocument,
  share as shareDocument,
  trash,
} from '../../support/documents/documents.ts';
import { made as madeFile, madeFolder } from '../../support/files/files.ts';
import { list as listMessages, sent } from '../../support/messages/messages.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { recorded } from '../../support/sales/sales.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { putItems, removeItems } from '../../support/table/batch-writes.ts';
import { useFaults } from '../../support/table/lost-transactions.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
const fail = useFaults();

const add = async (key: Key, attribute: string, amount: number | bigint): Promise<void> => {
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: key,
      UpdateExpression: 'ADD #name :amount',
      ExpressionAttributeNames: { '#name': attribute },
      ExpressionAttributeValues: { ':amount': amount },
    }),
  );
};

const counters = async (): Promise<Item[]> =>
  ((await itemsOf('')) as Item[]).filter((item) => findCounter(item));

const nothing: Recount = { differences: [], unstable: [], repaired: [] };

let viewer: Person;
let folder: number;
/** Creates a record of each counted kind and one that no longer counts. */
beforeAll(async () => {
  viewer = await newViewer();
  const [reader] = [await newUserOf('super_admin'), await newUserOf('guest')];
  await shareDocument(viewer, await madeDocument(viewer), [reader.id]);
  await trash(viewer, await madeDocument(viewer));
  await madeDocument(viewer, { visibility: 'everyone' });
  folder = await madeFolder(viewer, 'Plans');
  await madeFile(viewer, { folder: 'Plans' });
  await sharesOf(viewer).newShare();
  await sent(viewer, [reader, viewer]);
  await listMessages(reader);
  await madeEvent(viewer, { type: 'task' });
  await recorded(viewer, { amount: 12.5, cost: 2, category: 'Books' });
  await recorded(viewer, { amount: 7, soldAt: '2026-10-31T23:59:59.999Z' });
});

const planted = 3;
const currency = getSetting('CURRENCY');

describe('recounting', () => {
  it('finds nothing if all counters are correct', async () => {
    expect(await recount({ apply: true })).toEqual(nothing);
  });

  it('finds and repairs each incorrect counter', async () => {
    const before = await shown(viewer, 'stats');
    const places = await counters();
    for (const { pk, sk, bell: _, ...amounts } of places) {
      for (const name of Object.keys(amounts)) await add({ pk, sk }, name, planted);
    }
    const found = await recount();
    const stored = new Map<string, number>();
    for (const item of await counters()) {
      const { pk, sk, bell: _, ...amounts } = item;
      for (const [name, amount] of Object.entries(amounts)) {
        const number = `${findCounter(item)?.name}, ${name}`;
        stored.set(number, (stored.get(number) ?? 0) + Number(amount));
      }
    }
    const told = found.differences.map(
      (one) => [`${one.name}, ${one.attribute}`, Number(one.stored)] as const,
    );
    expect(new Map(told)).toEqual(stored);
    for (const { stored: wrong, actual } of found.differences) {
      expect(Number(wrong - actual) % planted).toBe(0);
      expect(wrong > actual).toBe(true);
    }
    const { id } = viewer;
    expect([...new Set(found.differences.map(({ name }) => name))]).toEqual(
      expect.arrayContaining([
        'totals',
        'active super_admins',
        `sales in ${currency}`,
        `sales in ${currency} of 2026-10`,
        `sales in ${currency} of the category Books`,
        `sales in ${currency} of the category (none)`,
        `shares of user ${id}`,
        `documents of user ${id}`,
        `files of user ${id}`,
        `storage of user ${id}`,
        `messages of user ${id}`,
        `contents of folder ${folder}`,
      ]),
    );
    expect(found).toMatchObject({ unstable: [], repaired: [] });
    expect(await recount({ apply: true })).toEqual({ ...found, repaired: found.differences });
    expect(await recount()).toEqual(nothing);
    expect(await shown(viewer, 'stats')).toEqual(before);
  });

  it('finds missing counters and counters without records', async () => {
    const all = await counters();
    await removeItems(all.filter((item) => findCounter(item)?.name === 'active super_admins'));
    await add(counterKeys.total.at({ shard: 7 }), 'newUsersOf202002', 5);
    expect((await recount({ apply: true })).repaired).toEqual([
      { name: 'active super_admins', attribute: 'active', stored: 0n, actual: 1n },
      { name: 'totals', attribute: 'newUsersOf202002', stored: 5n, actual: 0n },
    ]);
    expect(await readTotal('users')).toBe(3);
    expect(await recount()).toEqual(nothing);
  });

  it('ignores counters of a deleted user or folder', async () => {
    const left = [
      { ...fileKeys.counts.at({ userId: 1, shard: 0 }), seen: -1 },
      { ...fileKeys.children.at({ id: 1 }), count: 4 },
    ];
    await putItems(left);
    expect(await recount({ apply: true })).toEqual(nothing);
    await removeItems(left);
  });

  it('is exact past 2^53', async () => {
    await add(saleKeys.totals.at({ currency, shard: 5 }), 'sales', 9_007_199_254_740_993n);
    const [one, ...others] = (await recount({ apply: true })).repaired;
    expect(others).toEqual([]);
    expect(one && one.stored - one.actual).toBe(9_007_199_254_740_993n);
    expect(await recount()).toEqual(nothing);
  });

  it('reads a table page by page and reports progress', async () => {
    const task = { type: 'task', status: 'pending' };
    const ids = Array.from({ length: 600 }, (_, at) => 1_000 + at);
    await putItems(ids.map((id) => ({ ...eventKeys.record.at({ id }), ...task })));
    const pages: [number, number][] = [];
    const { differences } = await recount({ onPage: (...page) => void pages.push(page) });
    expect(differences).toEqual([
      { name: 'totals', attribute: 'pendingTasks', stored: 1n, actual: 601n },
    ]);
    const ofFirst = pages.filter(([pass]) => pass === 1).map(([, items]) => items);
    expect(ofFirst.slice(0, -1)).toEqual(ofFirst.slice(0, -1).map((_, at) => (at + 1) * 500));
    expect(new Set(pages.map(([pass]) => pass))).toEqual(new Set([1, 2, 3]));
    await removeItems(ids.map((id) => eventKeys.record.at({ id })));
  });
});

describe('recounting while the service runs', () => {
  let meanwhile: (moment: 'read' | 'mend') => Promise<unknown>;
  let pass: number;
  beforeEach(async () => {
    [pass, meanwhile] = [0, async () => undefined];
    documentClient().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const { TransactItems = [] } = args.input as TransactWriteCommand['input'];
          if (TransactItems.some(({ ConditionCheck }) => ConditionCheck)) await meanwhile('mend');
          const response = await next(args);
          const { LastEvaluatedKey } = response.output as ScanCommandOutput;
          if (commandName !== 'ScanCommand' || LastEvaluatedKey) return response;
          // The last page of the table has been read.
          pass += 1;
          await meanwhile('read');
          return response;
        },
      { step: 'initialize', name: 'meanwhile' },
    );
    await add(counterKeys.total.at({ shard: 3 }), 'users', planted);
  });
  afterEach(async () => {
    documentClient().middlewareStack.remove('meanwhile');
    await recount({ apply: true });
  });

  const difference = (stored: bigint) => ({
    name: 'totals',
    attribute: 'users',
    stored,
    actual: stored - BigInt(planted),
  });

  it('waits until a counter stops changing', async () => {
    meanwhile = async () => pass <= 3 && newUserOf('guest');
    const before = BigInt(await readTotal('users'));
    expect(await recount()).toEqual({ ...nothing, differences: [difference(before + 3n)] });
    expect(pass).toBe(5);
  });

  it('does not repair a counter that never stops changing', async () => {
    meanwhile = () => newUserOf('guest');
    const before = await readTotal('users');
    expect(await recount({ apply: true })).toMatchObject({
      differences: [],
      unstable: expect.arrayContaining(['totals, users']),
      repaired: [],
    });
    expect((await readTotal('users')) - before).toBe(pass);
  });

  it('does not repair a counter that changes just before the write', async () => {
    const before = await readTotal('users');
    meanwhile = async (moment) => moment === 'mend' && newUserOf('guest');
    expect(await recount({ apply: true })).toEqual({
      differences: [difference(BigInt(before))],
      unstable: ['totals, users'],
      repaired: [],
    });
    expect(await readTotal('users')).toBe(before + 1);
  });

  it('repairs once for two concurrent runs', async () => {
    const found = await Promise.all([recount({ apply: true }), recount({ apply: true })]);
    expect(found.flatMap(({ repaired }) => repaired)).toHaveLength(1);
    expect(await recount()).toEqual(nothing);
  });

  it('repairs once after a lost response', async () => {
    fail(['lost']);
    expect((await recount({ apply: true })).repaired).toHaveLength(1);
    fail([]);
    expect(await recount()).toEqual(nothing);
  });
});
