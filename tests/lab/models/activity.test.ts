import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { counted, type DayOfActivity, listDailyVisits } from '../../../shared/activity/days.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { deliver, type Told } from '../../support/dashboard/activity.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { type Fault, useFaults } from '../../support/table/lost-transactions.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-02T12:00:00.000Z');
useTable();
const fail = useFaults(['TransactWriteItems', 'PutItem', 'UpdateItem']);
afterEach(() => fail([]));

const dayMs = 86_400_000;
const halfHourMs = 1_800_000;

let round = 0;
/** Starts with days and shares without counters. */
const startAnew = async (): Promise<void> => {
  pass(2 * dayMs);
  round += 1;
  for (const n of [0, 1]) {
    const access = { views: 0, links: {}, recentViewIds: Array<string>(40).fill('-') };
    const Item = { ...shareKeys.access.at({ id: shareOf(n) }), ...access };
    await documentClient().send(new PutCommand({ TableName: tableName(), Item }));
  }
};

const shareOf = (n: number): string => `share-${round}-${n}`;

/** An event; its number determines its message, which stays the same when repeated. */
const Happening = fc.record({
  daysAgo: fc.nat(1),
  // A small range, so that visits merge.
  halfHour: fc.nat(6),
  visitor: fc.nat(3),
  counts: fc.subarray([...counted], { minLength: 1 }),
  share: fc.option(fc.nat(1), { nil: undefined }),
  claim: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
});
type Happening = typeof Happening extends fc.Arbitrary<infer T> ? T : never;

const dayOf = ({ daysAgo }: Pick<Happening, 'daysAgo'>): string =>
  new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

const toMessage = (one: Happening, n: number): Told => ({
  id: `message-${round}-${n}`,
  data: {
    at: new Date(Date.parse(dayOf(one)) + one.halfHour * halfHourMs + n).toISOString(),
    visitor: `visitor-${one.visitor}`,
    counts: one.counts,
    // The queue does not count a view with its own view id.
    ...(one.claim === undefined
      ? { share: one.share === undefined ? undefined : shareOf(one.share) }
      : { claim: `claim-${round}-${one.claim}` }),
  },
});

/** Counts the runs of consecutive half hours. */
const rowsOf = (halfHours: ReadonlySet<number>): number =>
  [...halfHours].filter((one) => !halfHours.has(one - 1)).length;

/** Returns the expected counters of a day for these events. */
const expectedOf = (date: string, events: readonly Happening[]): DayOfActivity => {
  const own = events.filter((one) => dayOf(one) === date);
  const opened = own.filter(({ counts }) => counts.includes('pageViews'));
  const viewers = Map.groupBy(opened, ({ visitor: viewer }) => viewer);
  const sum = (name: Happening['counts'][number]) =>
    own.filter(({ counts }) => counts.includes(name)).length;
  return {
    date,
    visits: [...viewers.values()].reduce(
      (visits, ofOne) => visits + rowsOf(new Set(ofOne.map(({ halfHour }) => halfHour))),
      0,
    ),
    uniqueVisitors: viewers.size,
    pageViews: sum('pageViews'),
    views: sum('views'),
    signIns: sum('signIns'),
  };
};

const viewsOf = async (n: number): Promise<unknown> =>
  (await itemsOf(`SHARE#${shareOf(n)}`))[0]?.['views'];

/** Batches that are delivered concurrently, and the faults of their requests. */
const Step = fc.record({
  batches: fc.array(fc.array(fc.nat(19), { minLength: 1, maxLength: 10 }), {
    minLength: 1,
    maxLength: 3,
  }),
  faults: fc.array(fc.constantFrom<Fault | undefined>('throttled', 'lost', 'lost', undefined), {
    maxLength: 8,
  }),
});

describe('any history of concurrent and repeated batches with lost responses', () => {
  it('counts each event once per day and share', async () => {
    const History = fc.record({
      // Events with the same view id must be equal.
      happenings: fc
        .array(Happening, { minLength: 20, maxLength: 20 })
        .map((all) =>
          all.map(
            (one) => all.find(({ claim }) => claim !== undefined && claim === one.claim) ?? one,
          ),
        ),
      steps: fc.array(Step, { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(History, async ({ happenings: events, steps }) => {
        await startAnew();
        const messages = events.map(toMessage);
        const told = new Set<number>();
        let again: number[] = [];
        const send = async (batches: readonly (readonly number[])[]) => {
          const failed = await Promise.all(
            batches.map(async (batch) => {
              const places = await deliver(batch.map((n) => messages[n] as Told));
              return places.map((place) => batch[place] as number);
            }),
          );
          for (const n of batches.flat()) told.add(n);
          return failed.flat();
        };
        for (const { batches, faults } of steps) {
          fail(faults);
          again.push(...(await send(batches)));
        }
        fail([]);
        for (let at = 0; again.length > 0 && at < 10; at++) {
          const [batch, rest] = [again.slice(0, 10), again.slice(10)];
          again = [...rest, ...(await send([batch]))];
        }
        expect(again).toEqual([]);
        const all = [...told].map((n) => events[n] as Happening);
        const withoutRepeats = all.filter(
          ({ claim }, at) =>
            claim === undefined || all.findIndex((one) => one.claim === claim) === at,
        );
        expect(await listDailyVisits(2)).toEqual(
          [1, 0].map((daysAgo) => expectedOf(dayOf({ daysAgo }), withoutRepeats)),
        );
        const views = [0, 1].map(
          (n) => all.filter(({ share, claim }) => share === n && claim === undefined).length,
        );
        expect([await viewsOf(0), await viewsOf(1)]).toEqual(views);
      }),
      { numRuns: 40, interruptAfterTimeLimit: 60_000 },
    );
  });
});

describe('a batch of activity', () => {
  const at = () => new Date().toISOString();
  const message = (id: string, fields: object = {}): Told => ({
    id,
    data: { at: at(), visitor: 'ann', counts: ['pageViews', 'views'], ...fields },
  });
  const viewsToday = async () => (await listDailyVisits(1))[0]?.views;

  it('is counted completely if it exceeds one transaction', async () => {
    await startAnew();
    const many = Array.from({ length: 120 }, (_, n) =>
      message(`many-${n}`, {
        visitor: `visitor-${n}`,
        at: new Date(Date.now() - (n % 2) * dayMs).toISOString(),
      }),
    );
    expect(await deliver(many)).toEqual([]);
    expect(await listDailyVisits(2)).toMatchObject([
      { views: 60, uniqueVisitors: 60, visits: 60 },
      { views: 60, uniqueVisitors: 60, visits: 60 },
    ]);
  });

  it('of one visitor counts one visit for ten concurrent deliveries', async () => {
    await startAnew();
    const early = { at: `${at().slice(0, 10)}T01:00:00.000Z` };
    expect(await deliver([message('early', early)])).toEqual([]);
    const failed = await Promise.all(
      Array.from({ length: 10 }, (_, n) => deliver([message(`at-once-${n}`)])),
    );
    expect(failed.flat()).toEqual([]);
    expect(await listDailyVisits(1)).toMatchObject([{ views: 11, visits: 2, uniqueVisitors: 1 }]);
  });

  it('fails without failing other jobs', async () => {
    await startAnew();
    fail(Array<Fault>(3).fill('throttled'));
    const batch = [
      message('down-1'),
      { id: 'gone', kind: 'purge-share', data: { id: 'no-such-share' } },
      message('down-2'),
    ];
    expect(await deliver(batch)).toEqual([0, 2]);
    expect(await viewsToday()).toBe(0);
    expect(await deliver([message('down-1'), message('down-2')])).toEqual([]);
    expect(await viewsToday()).toBe(2);
  });

  it('fails only the invalid messages', async () => {
    await startAnew();
    const broken = [
      message('no-counts', { counts: [] }),
      message('no-time', { at: 'noon' }),
      message('fine'),
      message('other-count', { counts: ['clicks'] }),
    ];
    expect(await deliver(broken)).toEqual([0, 1, 3]);
    expect(await viewsToday()).toBe(1);
  });

  it('adds no views to a deleted or limited share', async () => {
    await startAnew();
    await documentClient().send(
      new PutCommand({
        TableName: tableName(),
        Item: {
          ...shareKeys.access.at({ id: shareOf(1) }),
          views: 0,
          links: {},
          viewsBeforeLast: 2,
          recentViewIds: [],
        },
      }),
    );
    const shares = ['no-such-share', shareOf(0), shareOf(1)];
    expect(await deliver(shares.map((share, n) => message(`into-${n}`, { share })))).toEqual([]);
    expect([await viewsOf(0), await viewsOf(1), await viewsToday()]).toEqual([1, 0, 3]);
    expect(await itemsOf('SHARE#no-such-share')).toEqual([]);
  });
});
