import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/invariants/invariants.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { type Item, readState, type State } from '../../support/service/state.ts';
import { useTable } from '../../support/table/table.ts';
import { callsOfAllWays } from '../support/faults/sample-requests.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

/** Items that are independent of all others, so they may be missing. */
const free =
  /^(LIMIT|IDEMPOTENCY|DELETIONS|OUTBOX|VISITOR|STATS#DAYS|AUDIT#ACTOR)(#|\|)|\|(SESSION|TOKEN|REPORT|RECEIPT|EMAIL-UNDO)#|\|(CHECKIN|CATEGORIES|REMINDER|CALENDAR#FEED|UPDATES#CALENDAR)$/;

/** A counter of zero may be missing. */
const isNought = (item: Item): boolean =>
  Object.entries(item).every(
    ([name, value]) => /^(gsi1)?[ps]k$/.test(name) || value === 0 || typeof value !== 'number',
  );

const kindOf = ({ pk, sk }: Item): string =>
  `${pk}|${sk}`
    .split(/[|#]/)
    .filter((part) => /^[A-Z_]+$/.test(part))
    .join(' ');

describe('the invariants of stored data', () => {
  let state: State;
  beforeAll(async () => {
    for (const prepare of Object.values(await callsOfAllWays())) await (await prepare())();
    state = await readState();
  });

  it('hold after a call of every route', () => {
    expect(violationsOf(state)).toEqual([]);
  });

  it('find a missing item of every kind', () => {
    const bound = state.items.filter(
      (item) => !free.test(`${item.pk}|${item.sk}`) && !isNought(item),
    );
    const kinds = Map.groupBy(bound, kindOf);
    expect(kinds.size).toBeGreaterThan(25);
    const isTold = (gone: Item): boolean => {
      const items = state.items.filter((item) => item !== gone);
      return violationsOf({ ...state, items }).length > 0;
    };
    // One item per kind is enough: data of a removed user is unchecked until a job reconciles it.
    const untold = [...kinds].filter(([, items]) => !items.some(isTold));
    expect(untold.map(([kind]) => kind)).toEqual([]);
  });

  it('find an index entry without a record', () => {
    const places = /^(USERS|DOCUMENTS|FILES|SALES|CALENDAR|EMAIL|USERNAME)(#|$)/;
    const kinds = new Map(
      state.items.filter(({ pk }) => places.test(pk)).map((item) => [kindOf(item), item]),
    );
    const untold = [...kinds].filter(([, item]) => {
      const foreign = { ...item, sk: `${item.sk}0` };
      return violationsOf({ ...state, items: [...state.items, foreign] }).length === 0;
    });
    expect(untold.map(([kind]) => kind)).toEqual([]);
  });

  it('find an incorrect total', () => {
    const isTotal = ({ pk }: Item) => pk.startsWith('TOTAL#');
    const totals = state.items.filter(isTotal);
    const names = new Set(totals.flatMap(({ pk, sk, ...counts }) => Object.keys(counts)));
    expect(names.size).toBeGreaterThan(8);
    const untold = [...names].filter((name) => {
      const items = state.items.map((item) =>
        item === totals[0] ? { ...item, [name]: Number(item[name] ?? 0) + 1 } : item,
      );
      return violationsOf({ ...state, items }).length === 0;
    });
    expect(untold).toEqual([]);
  });

  it('find an object without a record', () => {
    const objects = [...state.objects, 'texts/SHARE/nobody/1'];
    expect(violationsOf({ ...state, objects })).toEqual([
      'objects: texts/SHARE/nobody/1 is of nothing',
    ]);
  });
});
