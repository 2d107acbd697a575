import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { incrementTotal } from '../../../shared/counters/total.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import {
  deleteItemWrite,
  type FailedConditions,
  transact,
  type Write,
} from '../../../shared/db/transaction.ts';
import { writeVersion } from '../../../shared/db/versioned-record.ts';
import { diffIndexEntries } from '../../../shared/lists/index-entries.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../shared/runtime/retry.ts';
import { diffForAudit } from './audit.ts';
import type { NewSale } from './input.ts';
import { notFound, type StoredSale, toSale } from './sale.ts';
import { chooseCounters, maxCategories, salesTotalWrites } from './statistics.ts';

const inIndex = (key: Key | undefined) => key && { gsi1pk: key.pk, gsi1sk: key.sk };

/** A sale by its id, which in the index stands among those to its customer. */
const toItem = (sale: StoredSale) => {
  const { id, soldAt, customer } = sale;
  return { ...sale, ...inIndex(customer ? keys.saleByCustomer(customer, soldAt, id) : undefined) };
};

/** The same again in the list of all, which in the index stands among those of its category. */
const listEntries = (sale: StoredSale | undefined): Key[] => {
  if (!sale) return [];
  const { id, soldAt, category } = sale;
  const ofCategory = category ? keys.saleByCategory(category, soldAt, id) : undefined;
  return [{ ...sale, ...keys.saleInList(soldAt, id), ...inIndex(ofCategory) }];
};

const told = ['amount', 'cost', 'currency', 'customer', 'category', 'soldAt'] as const;

type Told = Pick<StoredSale, (typeof told)[number]>;

/** The names of the fields in which a sale differs from what is told of one. */
export const differences = (sale: Told, fields: Partial<Told>): string[] =>
  told.filter((name) => sale[name] !== fields[name]);

/** Makes the external id the sale's for as long as it is there, with what was recorded; where it is another's, tells which. */
const moveExternalId = (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
): Write | undefined => {
  const externalId = (before ?? after)?.externalId;
  if (externalId === undefined || (before && after)) return undefined;
  const key = keys.saleByExternalId(externalId);
  if (!after) return deleteItemWrite(key);
  const first = Object.fromEntries(told.map((name) => [name, after[name]]));
  return {
    Put: {
      TableName: tableName(),
      Item: { ...key, id: after.id, first },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
};

/**
 * Brings a sale from `before`, as it was seen, to `after` (`undefined`: there is none), with its places, its part in all
 * sums and the audit, all or nothing. Answers what failed: `externalId` where that is another sale's, `sale` where it is
 * another by now; `undefined` when written.
 * @throws AppError VALIDATION_ERROR when its category would be the 101st
 */
export const write = async (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
  audit: AuditRecorder,
): Promise<FailedConditions<'externalId' | 'sale'> | undefined> => {
  const counters = chooseCounters();
  const attempt = (isNew: boolean) =>
    transact<string>({
      externalId: moveExternalId(before, after),
      sale: writeVersion(keys.sale((before ?? after)?.id ?? 0), before, after && toItem(after)),
      ...diffIndexEntries(listEntries(before), listEntries(after)),
      ...salesTotalWrites(before, after, { ...counters, isNew }),
      total: before && after ? undefined : incrementTotal('sales', after ? 1 : -1),
      ...audit.writes(diffForAudit(before, after)),
    });
  const failed = await attempt(false);
  if (!failed?.['sumsOfCategory'] || failed['sale'] || failed['externalId']) return failed;
  const again = await attempt(true);
  if (again?.['categories']) {
    throw invalidField('category', `exceeds the limit of ${maxCategories} categories`);
  }
  return again;
};

/** A sale, and whether it was there before. */
export interface CreateResult {
  readonly sale: StoredSale;
  readonly isRepeat: boolean;
}

/**
 * What became of the sale that was recorded under an external id, for who sends the same again: as it was sent then, or as
 * it is now. One that comes again without its time means the one that it was given. `undefined` where it was deleted by now.
 */
const replay = async (
  marker: Record<string, unknown> | undefined,
  fields: NewSale,
): Promise<CreateResult | undefined> => {
  const sale = await find(Number(marker?.['id']));
  if (!sale) return undefined;
  const againstNow = differences(sale, { soldAt: sale.soldAt, ...fields });
  const first = marker?.['first'] as Told;
  if (
    againstNow.length === 0 ||
    differences(first, { soldAt: first.soldAt, ...fields }).length === 0
  )
    return { sale, isRepeat: true };
  const message = `is already used by a sale with a different ${againstNow.join(', ')}`;
  throw new AppError('CONFLICT', `Invalid externalId: ${message}.`, {
    details: [{ field: 'externalId', message }],
  });
};

const untilRecorded = retryOnConflict('The sale could not be saved. Try again.');

/**
 * Records a sale with its part in all sums, all or nothing (decisions.md#sales). One whose external id was recorded is answered as it is.
 * @throws AppError CONFLICT when that is of another sale; VALIDATION_ERROR when its category would be the 101st
 */
export const create = (fields: NewSale, audit: AuditRecorder): Promise<CreateResult> =>
  untilRecorded(async () => {
    const now = new Date().toISOString();
    const sale: StoredSale = {
      ...fields,
      id: createId(),
      soldAt: fields.soldAt ?? now,
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    const failed = await write(undefined, sale, audit);
    if (!failed) return { sale, isRepeat: false };
    // Otherwise two ids of one millisecond were equal: another one then.
    return failed.externalId && replay(failed.externalId.item, fields);
  });

/** A sale by id; strongly consistent. */
const find = async (id: number): Promise<StoredSale | undefined> => {
  const [item] = await batchGet([keys.sale(id)]);
  return item && toSale(item);
};

/**
 * A sale by id; strongly consistent.
 * @throws AppError NOT_FOUND
 */
export const read = async (id: number): Promise<StoredSale> => {
  const sale = await find(id);
  if (!sale) throw notFound();
  return sale;
};
