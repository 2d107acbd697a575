import { saleKeys } from '../../../functions/api/sales/keys.ts';
import type { StoredSale } from '../../../functions/api/sales/sale.ts';
import type { Key } from '../../../shared/db/key.ts';
import { compare, differs, type Stored } from './stored.ts';

const withoutIndex = ({ gsi1pk: _, gsi1sk: __, ...item }: Readonly<Record<string, unknown>>) =>
  item;

/** Checks that each sale is stored equally by id and in the list, and that totals equal the sales without refunds. */
export const ofSales = (stored: Stored): string[] => {
  const records = stored.of(/^SALE#\d+$/, /^SALE$/);
  const sales = records as unknown as StoredSale[];
  const listed = records.map(({ pk: _, sk: __, ...item }) =>
    withoutIndex({
      ...item,
      ...saleKeys.all.at({ soldAt: String(item['soldAt']), id: Number(item['id']) }),
    }),
  );
  const { pk: list } = saleKeys.all.partition();
  const inList = stored.items.filter(({ pk }) => pk === list);
  const externalIds = sales.flatMap(({ id, externalId }) =>
    externalId === undefined ? [] : [{ ...saleKeys.byExternalId.at({ externalId }), id }],
  );
  const { pk: external, sk: ofExternal } = saleKeys.byExternalId.at({ externalId: '' });
  const sums = stored.of(/^STATS#SALES#[A-Z]{3}#\d+$/);
  const kinds = (['MONTHS', 'MONTH', 'CATEGORY'] as const).map((kind) =>
    sums.filter(({ sk }) => sk.split('#')[0] === kind),
  );
  const kept = sales.filter(({ refundedAt }) => refundedAt === undefined);
  const revenue = kept.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...compare(
      'sales',
      listed,
      inList.map((item) => withoutIndex(item) as typeof item),
    ),
    ...compare(
      'sales',
      externalIds,
      stored.items
        .filter(({ pk, sk }) => pk.startsWith(external) && sk === ofExternal)
        .map(({ first: _, ...item }) => item as typeof item & Key),
    ),
    ...differs('sales', stored.total('sales'), sales.length),
    ...kinds.flatMap((of, at) => [
      ...differs(`orders of sums ${at}`, stored.sum(of, 'orders'), kept.length),
      ...differs(`sales of sums ${at}`, stored.sum(of, 'sales'), revenue),
    ]),
  ];
};
