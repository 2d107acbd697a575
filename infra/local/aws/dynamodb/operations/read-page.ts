import type { Bound, ExpressionFields } from '../expressions/bind.ts';
import type { Condition } from '../expressions/condition.ts';
import { isFulfilled } from '../expressions/evaluate.ts';
import { type Bindings, resolvePath } from '../expressions/operands.ts';
import { type Projection, projectItem, toProjection } from '../expressions/projection.ts';
import { validationError } from '../service-error.ts';
import type { Column } from '../storage/database.ts';
import type { Index } from '../storage/index-entries.ts';
import { iterateRows, type Row, type RowRange } from '../storage/rows.ts';
import { assertKey, type KeyAttributes, toColumns } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { Table } from '../storage/table.ts';
import { type AttributeValue, type Item, readItem } from '../values/attribute-value.ts';
import { consumedCapacity, toReadUnits } from './capacity.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const MAX_PAGE_BYTES = 1024 * 1024;

export interface PageFields extends ExpressionFields {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Select?: string;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: object;
  readonly ReturnConsumedCapacity?: string;
}

/** What a query and a scan have in common, checked without the table. */
export interface PageRequest {
  readonly fields: PageFields;
  readonly filter: Condition | undefined;
  readonly projection: Projection | undefined;
  readonly bindings: Bindings;
  readonly start: Item | undefined;
}

const assertSelect = ({ Select, IndexName }: PageFields, hasProjection: boolean): void => {
  if (hasProjection && Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES') {
    throw validationError(
      `Cannot specify the ProjectionExpression when choosing to get ${Select === 'COUNT' ? 'only the Count' : Select}`,
    );
  }
  if (Select === 'SPECIFIC_ATTRIBUTES' && !hasProjection) {
    throw validationError(
      'Must specify the ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && IndexName === undefined) {
    throw validationError(
      'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    );
  }
};

/** The items or the entries that a request reads. */
export interface Source {
  readonly table: Table;
  readonly index: Index | undefined;
  readonly keys: KeyAttributes;
  readonly source: string;
  readonly order: readonly string[];
}

/** Finds the table or the index of a request. */
export const findSource = (store: Store, request: PageRequest): Source => {
  const { TableName, IndexName, ConsistentRead } = request.fields;
  const table = store.get(TableName);
  if (IndexName === undefined) {
    const { keys, source } = table;
    return { table, index: undefined, keys, source, order: ['pk', 'sk'] };
  }
  const index = table.indexes.find(({ name }) => name === IndexName);
  if (!index) {
    throw validationError(`The table does not have the specified index: ${IndexName}`);
  }
  if (ConsistentRead) {
    throw validationError('Consistent reads are not supported on global secondary indexes');
  }
  const { keys, source } = index;
  return { table, index, keys, source, order: ['hash', 'range', 'pk', 'sk'] };
};

const invalidStart = (reason = '') =>
  validationError(`The provided starting key is invalid${reason && `: ${reason}`}`);

/** Returns the columns of the row that the last page ended with. */
const toStart = ({ table, index, keys }: Source, start: Item | undefined): Column[] | undefined => {
  if (!start) return undefined;
  const all = [...new Map([...keys, ...table.keys].map((key) => [key.name, key])).values()];
  try {
    assertKey(all, start);
  } catch (error) {
    throw invalidStart(index || !(error instanceof Error) ? '' : error.message);
  }
  const primary = toColumns(table.keys, start);
  return index ? [...toColumns(keys, start), ...primary] : primary;
};

interface Page {
  readonly items: Item[];
  readonly scanned: number;
  readonly bytes: number;
  readonly last: Item | undefined;
}

/** Reads up to a page of rows. */
const collect = (rows: Iterable<Row>, { fields, filter, bindings }: PageRequest): Page => {
  const { Limit = Number.POSITIVE_INFINITY } = fields;
  const items: Item[] = [];
  let [scanned, bytes] = [0, 0];
  let previous: Item | undefined;
  for (const row of rows) {
    const [, text, size] = row;
    if (scanned > 0 && bytes + size > MAX_PAGE_BYTES) {
      return { items, scanned, bytes, last: previous };
    }
    const item = JSON.parse(text) as Item;
    scanned++;
    bytes += size;
    previous = item;
    if (!filter || isFulfilled(filter, item, bindings)) items.push(item);
    if (scanned >= Limit) return { items, scanned, bytes, last: item };
  }
  return { items, scanned, bytes, last: undefined };
};

const pickKeys = ({ table, keys }: Source, item: Item): Item =>
  Object.fromEntries(
    [...table.keys, ...keys].map(({ name }) => [name, item[name] as AttributeValue]),
  );

const toResponse = (request: PageRequest, source: Source, page: Page): object => {
  const { fields, projection } = request;
  const { table, index } = source;
  const { items, scanned, bytes, last } = page;
  const units = toReadUnits(bytes, fields.ConsistentRead);
  const ofIndex = index && { name: index.name, units };
  return {
    ...(fields.Select !== 'COUNT' && {
      Items: projection ? items.map((item) => projectItem(item, projection)) : items,
    }),
    Count: items.length,
    ScannedCount: scanned,
    ...(last && { LastEvaluatedKey: pickKeys(source, last) }),
    ...consumedCapacity(fields.ReturnConsumedCapacity, {
      table: table.name,
      units: ofIndex ? 0 : units,
      indexes: ofIndex ? [ofIndex] : [],
    }),
  };
};

/** Reads what a query and a scan have in common. */
export const readRequest = (fields: PageFields, bound: Bound): PageRequest => {
  const { bindings, ProjectionExpression, FilterExpression } = bound;
  const projection =
    ProjectionExpression &&
    toProjection(ProjectionExpression.map((path) => resolvePath(path, bindings)));
  assertSelect(fields, projection !== undefined);
  let start: Item | undefined;
  try {
    start = fields.ExclusiveStartKey && readItem(fields.ExclusiveStartKey);
  } catch (error) {
    throw invalidStart(error instanceof Error ? error.message : '');
  }
  return { fields, filter: FilterExpression, projection, bindings, start };
};

/** Reads a page of a range. */
export const readPage = (
  { database }: Store,
  request: PageRequest,
  source: Source,
  range: Pick<RowRange, 'hash' | 'range' | 'isReverse'>,
): object => {
  const rows = iterateRows(database, {
    ...range,
    source: source.source,
    order: source.order,
    start: toStart(source, request.start),
  });
  const page = collect(rows, request);
  return toResponse(request, source, page);
};
