import { readTotal } from '../../../shared/counters/total.ts';
import { schema } from '../../../shared/db/key.ts';
import {
  countItems,
  inDirection,
  type ListQuery,
  queryMatches,
  readFilteredSlice,
} from '../../../shared/db/query.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  type ListResult,
  maxCountedMatches,
  type Page,
  type PageRequest,
  readPage,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { saleKeys } from './keys.ts';
import { type StoredSale, toSale } from './sale.ts';
import { isCommon, placesOf, type SoldBound } from './sold-at.ts';

/** Selects sales by at most one filter; a period is one. */
export interface SaleFilter {
  readonly category?: string | undefined;
  readonly customer?: string | undefined;
  /** Start (inclusive) and end (exclusive) of a period. */
  readonly from?: SoldBound | undefined;
  readonly before?: SoldBound | undefined;
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
  const bounds = [from, before].filter((bound) => bound !== undefined);
  const start = from && placesOf(from).at(0);
  const end = before && placesOf(before).at(-1);
  return {
    KeyConditionExpression: `pk = :pk${bounds.length > 0 ? ' AND sk BETWEEN :from AND :before' : ''}`,
    ExpressionAttributeValues: {
      ':pk': pk,
      // Ids follow the times, so no key equals a bound. `:` sorts after any four-digit year.
      ...(bounds.length > 0 && { ':from': start ?? '0', ':before': end ?? ':' }),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
};

/** Leaves out those near the bounds, between the start of a day in UTC and in the time zone of a bound. */
const filterByDay = (query: ListQuery, { from, before }: SaleFilter): ListQuery => {
  if ([from, before].every((bound) => bound === undefined || isCommon(bound))) return query;
  return {
    ...query,
    FilterExpression:
      '(attribute_not_exists(#day) AND #soldAt >= :fromAt AND #soldAt < :beforeAt) OR (#day >= :fromDay AND #day < :beforeDay)',
    ExpressionAttributeNames: { '#day': 'day', '#soldAt': 'soldAt' },
    ExpressionAttributeValues: {
      ...query.ExpressionAttributeValues,
      ':fromAt': from?.at ?? '0',
      ':fromDay': from?.day ?? '0',
      ':beforeAt': before?.at ?? ':',
      ':beforeDay': before?.day ?? ':',
    },
  };
};

const assertSupported = ({ category, customer, from, before }: SaleFilter): void => {
  assertSingleFilter({ category, customer, ...(from === undefined ? { to: before } : { from }) });
  if (from !== undefined && before !== undefined && before.at <= from.at) {
    throw invalidField('to', 'must be after from');
  }
};

/** Sales that one request examines to count those of a period. */
const maxExamined = 20_000;

const countMatches = async (query: ListQuery) => {
  const bound = maxCountedMatches + 1;
  if (!query.FilterExpression) {
    const count = await countItems(query, bound);
    return { total: Math.min(count, maxCountedMatches), totalIsExact: count < bound };
  }
  const { items, isWhole } = await queryMatches(query, { matches: bound, scanned: maxExamined });
  const total = Math.min(items.length, maxCountedMatches);
  return { total, totalIsExact: isWhole && items.length < bound };
};

const readEntries = (query: ListQuery, request: PageRequest, scope: string) => {
  if (!query.FilterExpression) return readPage(query, request, scope);
  const source: Source = (count, from, isReversed) =>
    readFilteredSlice(inDirection(query, isReversed), count, from);
  return readPageFrom(source, false, request, scope);
};

const readSales = async (
  callerId: number,
  filter: SaleFilter,
  query: ListQuery,
  request: PageRequest,
): Promise<Page<StoredSale>> => {
  const scope = `sales#${callerId}#${JSON.stringify(filter)}`;
  const page = await readEntries(query, request, scope);
  return { ...page, items: page.items.map(toSale) };
};

/**
 * Reads a page as `list` does, without counting.
 * @throws AppError VALIDATION_ERROR for `cursor` or a filter
 */
export const listPage = (
  callerId: number,
  filter: SaleFilter,
  request: PageRequest,
): Promise<Page<StoredSale>> => {
  assertSupported(filter);
  return readSales(callerId, filter, filterByDay(buildQuery(filter), filter), request);
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
  const query = filterByDay(buildQuery(filter), filter);
  const isAll = Object.values(filter).every((value) => value === undefined);
  const [page, count] = await Promise.all([
    readSales(callerId, filter, query, request),
    isAll
      ? readTotal('sales').then((total) => ({ total, totalIsExact: true }))
      : countMatches(query),
  ]);
  return { ...page, ...count };
};
