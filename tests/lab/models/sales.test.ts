import { describe, expect, it } from 'vitest';
import {
  getCategoryTotals,
  getMonthlySales,
  getSalesTotal,
} from '../../../functions/api/sales/statistics.ts';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { violationsOf } from '../../support/invariants/invariants.ts';
import fc from '../../support/run/properties.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import {
  change,
  listed,
  look,
  newSeller,
  record,
  refund,
  remove,
} from '../../support/sales/sales.ts';
import type { Answer } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { readState } from '../../support/service/state.ts';
import { type Fault, useFaults } from '../../support/table/lost-transactions.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
useJobs();
const fail = useFaults();

const categories = ['Books', 'Music', null] as const;
const customers = ['Ann', 'Bob', null] as const;

const Fields = fc.record({
  amount: fc.nat(1_000).map((cents) => cents / 100),
  cost: fc.nat(500).map((cents) => cents / 100),
  customer: fc.constantFrom(...customers),
  category: fc.constantFrom(...categories),
  soldAt: fc.constantFrom('2026-09-30T23:59:59.999Z', '2026-10-01T00:00:00.000Z', '2026-11-02'),
});

/** Something that is done to a sale, which is chosen by number. */
const Step = fc.oneof(
  fc.record({
    kind: fc.constant('record' as const),
    fields: Fields,
    externalId: fc.option(fc.constantFrom('one', 'two', 'three')),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    sale: fc.nat(9),
    fields: fc.oneof(
      Fields,
      Fields.map(({ amount }) => ({ amount })),
      Fields.map(({ category, soldAt }) => ({ category, soldAt })),
    ),
  }),
  fc.record({ kind: fc.constant('refund' as const), sale: fc.nat(9) }),
  fc.record({ kind: fc.constant('delete' as const), sale: fc.nat(9) }),
);
type Step = typeof Step extends fc.Arbitrary<infer One> ? One : never;

/** Steps that are taken at once, and what goes wrong with their transactions. */
const Round = fc.record({
  steps: fc.array(Step, { minLength: 1, maxLength: 5 }),
  // Two at most: of three the third would be the answer.
  faults: fc
    .array(fc.constantFrom<Fault | undefined>('lost', 'throttled', undefined), { maxLength: 6 })
    .filter((faults) => faults.filter((fault) => fault !== undefined).length <= 2),
});

interface Sale {
  readonly id: number;
  readonly amount: number;
  readonly cost: number;
  readonly customer: string | null;
  readonly category: string | null;
  readonly soldAt: string;
  readonly externalId: string | null;
  readonly refundedAt: string | null;
  readonly version: number;
}

/** Every sale by its id, as the answers told of it last; those that were deleted too. */
interface Model {
  readonly sales: Map<number, Sale>;
  readonly deleted: Set<number>;
}

const idAt = ({ sales }: Model, at: number): number => [...sales.keys()][at % sales.size] ?? 1;

const take = (seller: Person, model: Model, step: Step): Promise<Answer> => {
  if (step.kind === 'record') {
    return record(seller, { ...step.fields, externalId: step.externalId });
  }
  const id = idAt(model, step.sale);
  if (step.kind === 'change') return change(seller, id, { body: step.fields });
  return step.kind === 'refund' ? refund(seller, id) : remove(seller, id);
};

const statuses = {
  record: [201, 409],
  change: [200, 404],
  refund: [200, 404, 409],
  delete: [200, 404],
};

const learn = ({ sales, deleted }: Model, { kind }: Step, { status, body }: Answer): void => {
  if (status >= 300) return;
  const { id, version } = body.data;
  if (kind === 'delete') {
    expect(deleted.has(id), 'is deleted once').toBe(false);
    deleted.add(id);
    return;
  }
  if (version >= (sales.get(id)?.version ?? 0)) sales.set(id, body.data);
};

const cents = (amount: number): number => Math.round(amount * 100);

/** The sums of the sales that were not refunded, by a part of theirs. */
const sumsBy = <Name>(sales: readonly Sale[], nameOf: (sale: Sale) => Name) => {
  const sums = new Map<Name, { sales: number; profit: number; orders: number }>();
  for (const sale of sales.filter(({ refundedAt }) => refundedAt === null)) {
    const name = nameOf(sale);
    const sum = sums.get(name) ?? { sales: 0, profit: 0, orders: 0 };
    sums.set(name, {
      sales: sum.sales + cents(sale.amount),
      profit: sum.profit + cents(sale.amount) - cents(sale.cost),
      orders: sum.orders + 1,
    });
  }
  return Object.fromEntries(
    [...sums].map(([name, sum]) => [
      name,
      { ...sum, sales: sum.sales / 100, profit: sum.profit / 100 },
    ]),
  );
};

const withOrders = <Sums extends { readonly orders: number }>(sums: readonly Sums[]) =>
  sums.filter(({ orders }) => orders > 0);

const newestFirst = (sales: readonly Sale[]): number[] =>
  sales.toSorted((a, b) => b.soldAt.localeCompare(a.soldAt) || b.id - a.id).map(({ id }) => id);

const check = async (seller: Person, { sales, deleted }: Model): Promise<void> => {
  for (const id of deleted) {
    expect((await look(seller, id)).status).toBe(404);
    sales.delete(id);
  }
  const all = [...sales.values()];
  for (const sale of all) expect((await look(seller, sale.id)).body.data).toEqual(sale);
  expect(await listed(seller)).toEqual({ ids: newestFirst(all), total: all.length });
  for (const name of ['category', 'customer'] as const) {
    for (const value of name === 'category' ? categories : customers) {
      if (value === null) continue;
      const ids = newestFirst(all.filter((sale) => sale[name] === value));
      expect(await listed(seller, { [name]: value })).toEqual({ ids, total: ids.length });
    }
  }
  const none = { sales: 0, profit: 0, orders: 0 };
  expect(await getSalesTotal()).toEqual(sumsBy(all, () => 'all')['all'] ?? none);
  expect(
    Object.fromEntries(
      withOrders(await getMonthlySales(3)).map(({ month, ...sums }) => [month, sums]),
    ),
  ).toEqual(sumsBy(all, ({ soldAt }) => soldAt.slice(0, 7)));
  expect(
    Object.fromEntries(
      withOrders(await getCategoryTotals()).map(({ category, ...sums }) => [category, sums]),
    ),
  ).toEqual(sumsBy(all, ({ category }) => category));
};

describe('sales under concurrent operations in any order', () => {
  it('match all lists, totals and external ids', async () => {
    const taken = new Map<string, number>();
    const seller = await newSeller();
    await fc.assert(
      fc.asyncProperty(
        fc.array(Round, { minLength: 6, maxLength: 12, size: 'max' }),
        async (rounds) => {
          const model: Model = { sales: new Map(), deleted: new Set() };
          for (const { steps, faults } of rounds) {
            // A sale of the same millisecond may get the id of one that was deleted.
            pass(1);
            fail(faults);
            const responses = await Promise.all(steps.map((step) => take(seller, model, step)));
            fail([]);
            for (const [at, response] of responses.entries()) {
              const step = steps[at] as Step;
              expect(statuses[step.kind], JSON.stringify(response.body)).toContain(response.status);
              const name = `${step.kind} ${response.status}`;
              taken.set(name, (taken.get(name) ?? 0) + 1);
              learn(model, step, response);
            }
            await check(seller, model);
          }
          expect(await recount()).toEqual({ differences: [], unstable: [], repaired: [] });
          expect(violationsOf(await readState())).toEqual([]);
          // The next history begins without sales.
          for (const id of model.sales.keys()) await remove(seller, id);
        },
      ),
      { numRuns: 15, endOnFailure: true, interruptAfterTimeLimit: 240_000 },
    );
    const possible = Object.entries(statuses).flatMap(([kind, all]) =>
      all.map((status) => `${kind} ${status}`),
    );
    expect([...taken.keys()].toSorted()).toEqual(possible.toSorted());
  });
});
