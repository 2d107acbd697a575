import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { countSteps, pickShards } from '../../../shared/counters/counter.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import type { Key } from '../../../shared/db/key.ts';
import {
  deleteItemWrite,
  type Refusal,
  transact,
  type Write,
} from '../../../shared/db/transaction.ts';
import { writeVersion } from '../../../shared/db/versioned-record.ts';
import { diffIndexEntries } from '../../../shared/lists/index-entries.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { diffForAudit } from './audit.ts';
import { getCounts, guardCategory } from './counters.ts';
import type { NewSale } from './input.ts';
import { saleKeys } from './keys.ts';
import { notFoundError, type StoredSale, toSale } from './sale.ts';
import { addCategoryWrite, maxCategories } from './statistics.ts';
import { textFieldNames } from './text-fields.ts';

const toIndexKey = (key: Key | undefined) => key && { gsi1pk: key.pk, gsi1sk: key.sk };

/** Adds the sale's key among those of its customer, in the index. */
const toItem = (sale: StoredSale) => {
  const { id, soldAt, customer } = sale;
  return {
    ...sale,
    ...toIndexKey(customer ? saleKeys.byCustomer.at({ customer, soldAt, id }) : undefined),
  };
};

/** A copy of the sale in the list of all, with its key among those of its category, in the index. */
const listEntries = (sale: StoredSale | undefined): Key[] => {
  if (!sale) return [];
  const { id, soldAt, category } = sale;
  const ofCategory = category ? saleKeys.byCategory.at({ category, soldAt, id }) : undefined;
  return [{ ...sale, ...saleKeys.all.at({ soldAt, id }), ...toIndexKey(ofCategory) }];
};

const comparedFields = ['amount', 'cost', 'currency', ...textFieldNames, 'soldAt'] as const;
const storedFields = [...comparedFields, 'day'] as const;

type ComparedFields = Pick<StoredSale, (typeof storedFields)[number]>;

/** Returns the names of the fields in which a sale differs; a day and the time of its start differ in `soldAt`. */
export const listDifferences = (
  sale: ComparedFields,
  fields: { readonly [Field in keyof ComparedFields]?: ComparedFields[Field] | undefined },
): string[] =>
  comparedFields.filter(
    (name) => sale[name] !== fields[name] || (name === 'soldAt' && sale.day !== fields.day),
  );

/** Creates the write that reserves or releases a sale's external id. It stores the recorded fields, to detect a repeated sale. */
const externalIdWrite = (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
): Write | undefined => {
  const externalId = (before ?? after)?.externalId;
  if (externalId === undefined || (before && after)) return undefined;
  const key = saleKeys.byExternalId.at({ externalId });
  if (!after) return deleteItemWrite(key);
  const first = Object.fromEntries(storedFields.map((name) => [name, after[name]]));
  return {
    Put: {
      TableName: tableName(),
      Item: { ...key, id: after.id, first },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
};

const tooManyCategoriesError = () =>
  invalidField('category', `exceeds the limit of ${maxCategories} categories`);

/**
 * Creates, updates or deletes a sale with its index entries, all totals and the audit, in one transaction. `before` is the
 * expected version, `undefined` for a new sale; `after` is `undefined` to delete it. Returns why it is refused, if it is:
 * `externalIdTaken`, or `changed` by a concurrent write.
 * @throws AppError VALIDATION_ERROR for a 101st category
 */
export const write = async (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
  recorder: ChangeRecorder,
): Promise<Refusal<'externalIdTaken' | 'changed' | 'newCategory'> | undefined> => {
  const pick = pickShards();
  const key = saleKeys.record.at({ id: (before ?? after)?.id ?? 0 });
  const attempt = (isNewCategory: boolean) => {
    const guard = isNewCategory ? undefined : guardCategory;
    return transact([
      { write: externalIdWrite(before, after), refused: 'externalIdTaken' },
      { write: writeVersion(key, before, after && toItem(after)), refused: 'changed' },
      ...diffIndexEntries(listEntries(before), listEntries(after)),
      ...countSteps(getCounts(before), getCounts(after), guard, pick),
      isNewCategory && after
        ? { write: addCategoryWrite(after), refused: tooManyCategoriesError }
        : undefined,
      ...recorder.steps(diffForAudit(before, after)),
    ]);
  };
  const refused = await attempt(false);
  return refused?.by === 'newCategory' ? attempt(true) : refused;
};

/** A sale, and whether it had been recorded before. */
export interface CreateResult {
  readonly sale: StoredSale;
  readonly isRepeat: boolean;
}

/**
 * Returns the sale with a known external id, if the fields equal the recorded or the current ones. Without a time, they
 * match any. Returns `undefined` if the sale was deleted concurrently.
 * @throws AppError CONFLICT if the fields differ
 */
const replay = async (
  marker: Record<string, unknown> | undefined,
  fields: NewSale,
): Promise<CreateResult | undefined> => {
  const sale = await find(Number(marker?.['id']));
  if (!sale) return undefined;
  const differences = (recorded: ComparedFields) =>
    listDifferences(recorded, {
      ...fields,
      ...(fields.soldAt === undefined && { soldAt: recorded.soldAt, day: recorded.day }),
    });
  const changedFields = differences(sale);
  if (changedFields.length === 0 || differences(marker?.['first'] as ComparedFields).length === 0)
    return { sale, isRepeat: true };
  const message = `is already used by a sale with a different ${changedFields.join(', ')}`;
  throw new AppError('CONFLICT', `Invalid externalId: ${message}.`, {
    details: [{ field: 'externalId', message }],
  });
};

const retryOnConflict = createRetry('The sale could not be saved. Try again.');

/**
 * Records a sale and updates all totals, in one transaction (decisions.md#sales). Returns the recorded sale if its external
 * id is known.
 * @throws AppError CONFLICT if the external id is used by a different sale; VALIDATION_ERROR for a 101st category
 */
export const create = (fields: NewSale, recorder: ChangeRecorder): Promise<CreateResult> =>
  retryOnConflict(async () => {
    const now = new Date().toISOString();
    const sale: StoredSale = {
      ...fields,
      id: createId(),
      soldAt: fields.soldAt ?? now,
      createdAt: now,
      updatedAt: now,
      version: 1,
    };
    const refused = await write(undefined, sale, recorder);
    if (!refused) return { sale, isRepeat: false };
    // Otherwise two ids of the same millisecond collided: the next attempt creates another.
    return refused.by === 'externalIdTaken' ? replay(refused.item, fields) : undefined;
  });

/** Finds a sale by id; strongly consistent. */
const find = async (id: number): Promise<StoredSale | undefined> => {
  const [item] = await batchGet([saleKeys.record.at({ id })]);
  return item && toSale(item);
};

/**
 * Reads a sale by id; strongly consistent.
 * @throws AppError NOT_FOUND
 */
export const read = async (id: number): Promise<StoredSale> => {
  const sale = await find(id);
  if (!sale) throw notFoundError();
  return sale;
};
