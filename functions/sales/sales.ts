import type { Change } from '../../shared/change.ts';
import { batchGet, tableName } from '../../shared/dynamodb.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type Key, keys } from '../../shared/table.ts';
import { moveTotal } from '../../shared/total.ts';
import { type FailedConditions, putNew, transact, type Write } from '../../shared/transaction.ts';
import { audited } from './audited.ts';
import type { NewSale } from './input.ts';
import { notFound, type StoredSale, toSale } from './sale.ts';
import { chooseCounters, maxCategories, sumWrites } from './statistics.ts';

const inIndex = (key: Key | undefined) => key && { gsi1pk: key.pk, gsi1sk: key.sk };

/**
 * A sale by its id and, the same again, in the list of all: what never changes may lie in two places. Each has a place in
 * the index besides, among the sales to its customer and those of its category.
 */
const saleWrites = (sale: StoredSale) => {
  const { id, soldAt, customer, category } = sale;
  const toCustomer = customer && keys.salesToCustomer(customer, soldAt, id);
  const ofCategory = category && keys.salesOfCategory(category, soldAt, id);
  return {
    sale: putNew(keys.sale(id), { ...sale, ...(toCustomer && inIndex(toCustomer)) }),
    inList: putNew(keys.saleInList(soldAt, id), {
      ...sale,
      ...(ofCategory && inIndex(ofCategory)),
    }),
  };
};

/** Makes the external id the sale's; where it is another's, that tells which. */
const claimExternalId = ({ id, externalId }: StoredSale): Write | undefined =>
  externalId === undefined
    ? undefined
    : {
        Put: {
          TableName: tableName(),
          Item: { ...keys.saleByExternalId(externalId), id },
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      };

/** A sale, and whether it was there before. */
export interface Recorded {
  readonly sale: StoredSale;
  readonly isRepeat: boolean;
}

const told = ['amount', 'cost', 'currency', 'customer', 'category', 'soldAt'] as const;

/** A sale that comes again without its time means the one that it was given. */
const differences = (sale: StoredSale, fields: NewSale): string[] =>
  told.filter(
    (name) => sale[name] !== fields[name] && !(name === 'soldAt' && fields.soldAt === undefined),
  );

/** What was recorded under an external id, for who sends the same again. */
const recall = async (id: number, fields: NewSale): Promise<Recorded> => {
  const sale = await read(id);
  const others = differences(sale, fields);
  if (others.length === 0) return { sale, isRepeat: true };
  const message = `is that of another sale, by its ${others.join(', ')}`;
  throw new AppError('CONFLICT', `externalId: ${message}`, {
    details: [{ field: 'externalId', message }],
  });
};

const maxTries = 8;

/**
 * Records a sale with its part in all sums, all or nothing. One whose external id was recorded is answered as it is.
 * @throws AppError CONFLICT when that is of another sale; VALIDATION_ERROR when its category would be the 101st
 */
export const create = async (fields: NewSale, change: Change): Promise<Recorded> => {
  let counters = chooseCounters();
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const now = new Date().toISOString();
    const sale: StoredSale = {
      ...fields,
      id: newId(),
      soldAt: fields.soldAt ?? now,
      createdAt: now,
    };
    const failed: FailedConditions<'externalId' | 'sumsOfCategory' | 'categories'> | undefined =
      await transact({
        externalId: claimExternalId(sale),
        ...saleWrites(sale),
        ...sumWrites(sale, counters),
        total: moveTotal('sales', 1),
        ...change.writes(audited(sale)),
      });
    if (!failed) return { sale, isRepeat: false };
    if (failed.externalId) return recall(Number(failed.externalId.item?.['id']), fields);
    if (failed.categories) {
      throw invalidField('category', `must be one of the ${maxCategories} that there are`);
    }
    // Otherwise two ids of one millisecond were equal: another one then.
    if (failed.sumsOfCategory) counters = { ...counters, isNew: true };
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The sale could not be recorded: try again');
};

/**
 * A sale by id; strongly consistent.
 * @throws AppError NOT_FOUND
 */
export const read = async (id: number): Promise<StoredSale> => {
  const [item] = await batchGet([keys.sale(id)]);
  if (!item) throw notFound();
  return toSale(item);
};
