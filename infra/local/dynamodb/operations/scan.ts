import { bindExpressions } from '../expressions/bind.ts';
import { itemFields } from '../requests/fields.ts';
import { assertNotMixed, type LegacyConditions } from '../requests/legacy.ts';
import { assertFields } from '../requests/rules.ts';
import { validationError } from '../service-error.ts';
import { toColumn } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';
import { findSource, type PageFields, readPage, readRequest } from './read-page.ts';

interface ScanFields extends PageFields {
  readonly ScanFilter?: LegacyConditions;
  readonly Segment?: number;
  readonly TotalSegments?: number;
}

const assertSegments = ({ Segment: segment, TotalSegments: total }: ScanFields): void => {
  if (segment === undefined && total === undefined) return;
  if (total === undefined) {
    throw validationError(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  }
  if (segment === undefined) {
    throw validationError(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  }
  if (segment < total) return;
  throw validationError(
    `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${segment} is not less than TotalSegments: ${total}`,
  );
};

/** Distributes partitions evenly over the segments of a parallel scan. */
const toSegment = (hash: AttributeValue, total: number): number => {
  let sum = 0;
  for (const byte of Buffer.from(toColumn(hash) as string)) sum = (sum * 31 + byte) >>> 0;
  return sum % total;
};

export const scan = (store: Store, given: object): Promise<object> => {
  assertFields(itemFields.Scan, given);
  const fields = given as ScanFields;
  const names = ['ProjectionExpression', 'FilterExpression'] as const;
  assertNotMixed(fields, ['AttributesToGet', 'ScanFilter', 'ConditionalOperator'], names);
  assertSegments(fields);
  const request = readRequest(fields, fields.ScanFilter, bindExpressions(fields, names));
  const { Segment = 0, TotalSegments = 1 } = fields;
  return store.database.read(() => {
    const source = findSource(store, request);
    const hashName = source.keys[0]?.name ?? '';
    const belongs = (item: Item) =>
      toSegment(item[hashName] as AttributeValue, TotalSegments) === Segment;
    const range = { hash: undefined, range: undefined, isReverse: false };
    return readPage(store, request, source, range, TotalSegments > 1 ? belongs : undefined);
  });
};
