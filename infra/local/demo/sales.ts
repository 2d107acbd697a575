import type { Step, Story } from './step.ts';

const products: readonly (readonly [category: string, price: number, cost: number])[] = [
  ['Books', 16.9, 5.2],
  ['Books', 24, 8.1],
  ['E-books', 9.99, 0.8],
  ['Prints', 45, 11.5],
  ['Workshops', 120, 38],
  ['Gift cards', 30, 0],
];

const customers = [
  ...['The Reading Lamp', 'Quay Books', 'Moorland Shop', 'Harbour Library'],
  ...['E. Walsh', 'P. Novák', 'S. Iyer', 'L. Berg', 'J. Adeyemi'],
];

const count = 260;
const daysPerYear = 365;

/** Records the sales of a year, more of them before the end of the year, and a refund. */
export const saleSteps = ({ client, random, at }: Story): Step[] => {
  const ids: number[] = [];
  const sales = Array.from({ length: count }, (_, index) => {
    // Recent weeks sell more than those long ago.
    const daysAgo = Math.floor((random.below(daysPerYear) * random.below(1_000)) / 1_000);
    const [category, price, cost] = random.pick(products);
    const copies = random.chance(0.15) ? 5 + random.below(20) : 1;
    const soldAt = at(daysAgo, 8 + random.below(11));
    return {
      // The first account is six weeks old: older sales were entered then.
      at: Math.max(soldAt, at(40, 7)),
      run: async () => {
        const body = {
          amount: (price * copies).toFixed(2),
          cost: (cost * copies).toFixed(2),
          category,
          customer: random.pick(customers),
          soldAt: new Date(soldAt).toISOString(),
          externalId: `order-${1_001 + index}`,
        };
        ids.push((await client.send('tomas', 'POST /api/sales', body)).id);
      },
    };
  });
  const refund = {
    at: at(1, 9),
    run: () => client.send('tomas', `POST /api/sales/${ids[0]}/refund`),
  };
  return [...sales, refund];
};
