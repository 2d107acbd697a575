import { readTotal } from '../../../shared/counters/total.ts';
import { keys, schema } from '../../../shared/db/table.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  countItems,
  type ListQuery,
  type ListResult,
  maxCountedMatches,
  type PageRequest,
  readPage,
} from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { type StoredSale, toSale } from './sale.ts';

/** Which sales: one filter at most, a period being one. */
export interface SaleFilter {
  readonly category?: string | undefined;
  readonly customer?: string | undefined;
  /** ISO 8601 times (UTC): sold then or later, and sold before. */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

/** Newest first, as they were sold. All of them, and those of a period, are of the table; the others may lag. */
const buildQuery = ({ category, customer, from, before }: SaleFilter): ListQuery => {
  if (category !== undefined || customer !== undefined) {
    const { pk } =
      category === undefined
        ? keys.saleByCustomer(customer ?? '', '', 0)
        : keys.saleByCategory(category, '', 0);
    return {
      IndexName: schema.index.name,
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ScanIndexForward: false,
    };
  }
  const { pk } = keys.saleInList('', 0);
  const isPeriod = from !== undefined || before !== undefined;
  return {
    KeyConditionExpression: `pk = :pk${isPeriod ? ' AND sk BETWEEN :from AND :before' : ''}`,
    ExpressionAttributeValues: {
      ':pk': pk,
      // A time of a sale is followed by its id: it is never equal to either end. Years have four digits.
      ...(isPeriod && { ':from': from ?? '0', ':before': before ?? ':' }),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
};

/** Refuses two filters at once (decisions.md#lists), and a period that ends before it begins. */
const assertFilter = ({ category, customer, from, before }: SaleFilter): void => {
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
 * A page of sales, the one sold last first, and how many there are: all, those of a category, to a customer, or of a
 * period. Page 1 costs the same however many there are; those of a filter are counted up to 1 000.
 * @throws AppError VALIDATION_ERROR about `cursor` or `page`, or a filter
 */
export const list = async (
  callerId: number,
  filter: SaleFilter,
  request: PageRequest,
): Promise<ListResult<StoredSale>> => {
  assertFilter(filter);
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
