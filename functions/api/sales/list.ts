import { readTotal } from '../../../shared/counters/total.ts';
import { schema } from '../../../shared/db/key.ts';
import { countItems, type ListQuery } from '../../../shared/db/query.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPage,
} from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { saleKeys } from './keys.ts';
import { type StoredSale, toSale } from './sale.ts';

/** Selects sales by at most one filter; a period is one. */
export interface SaleFilter {
  readonly category?: string | undefined;
  readonly customer?: string | undefined;
  /** Start (inclusive) and end (exclusive) of a period in ISO 8601 (UTC). */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

/** Queries by category and by customer use the index, which is eventually consistent. */
const buildQuery = ({ category, customer, from, before }: SaleFilter): ListQuery => {
  if (category !== undefined || customer !== undefined) {
    const { pk } =
      category === undefined
        ? saleKeys.byCustomer.partition({ customer: customer ?? '' })
        : saleKeys.byCategory.partition({ category });
    return {
      IndexName: schema.index.name,
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ScanIndexForward: false,
    };
  }
  const { pk } = saleKeys.all.partition();
  const isPeriod = from !== undefined || before !== undefined;
  return {
    KeyConditionExpression: `pk = :pk${isPeriod ? ' AND sk BETWEEN :from AND :before' : ''}`,
    ExpressionAttributeValues: {
      ':pk': pk,
      // Ids follow the times, so no key equals a bound. `:` sorts after any four-digit year.
      ...(isPeriod && { ':from': from ?? '0', ':before': before ?? ':' }),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
};

const assertSupported = ({ category, customer, from, before }: SaleFilter): void => {
  assertSingleFilter({ category, customer, ...(from === undefined ? { to: before } : { from }) });
  if (from !== undefined && before !== undefined && before <= from) {
    throw invalidField('to', 'must be after from');
  }
};

const countMatches = async (query: ListQuery) => {
  const count = await countItems(query, maxCountedMatches + 1);
  return { total: Math.min(count, maxCountedMatches), totalIsExact: count <= maxCountedMatches };
};

/**
 * Lists sales, last sold first. Page 1 has a constant cost; filtered sales are counted up to 1,000.
 * @throws AppError VALIDATION_ERROR for `cursor`, `page` or a filter
 */
export const list = async (
  callerId: number,
  filter: SaleFilter,
  request: PageRequest,
): Promise<ListResult<StoredSale>> => {
  assertSupported(filter);
  const query = buildQuery(filter);
  const isAll = Object.values(filter).every((value) => value === undefined);
  const [{ items, ...page }, count] = await Promise.all([
    readPage(query, request, `sales#${callerId}#${JSON.stringify(filter)}`),
    isAll
      ? readTotal('sales').then((total) => ({ total, totalIsExact: true }))
      : countMatches(query),
  ]);
  return { ...page, ...count, items: items.map(toSale) };
};
