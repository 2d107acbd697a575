import { randomInt } from 'node:crypto';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { updateFields } from '../../../../shared/db/field-update.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { type Item, itemParser } from '../../../../shared/db/item-parser.ts';
import type { Step } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { shareKeys } from './keys.ts';
import type { StoredShare } from './share.ts';
import { maxSlugLength, slugPattern } from './slug-pattern.ts';

/** How long only the last owner can take a released slug again (decisions.md#slugs). */
export const slugRetentionMs = 90 * 86_400_000;

type Named = Pick<StoredShare, 'id' | 'ownerId' | 'slug'>;

/** A slug as stored: of a share, or released. */
interface StoredSlug {
  readonly slug: string;
  readonly shareId?: string;
  /** When it was released (ms since 1970), and by whom. */
  readonly releasedAt?: number;
  readonly releasedBy?: number;
}

const parseSlug = itemParser<StoredSlug>('slug', ['slug']);

const isSlug = (text: string): boolean => slugPattern.test(text);

/** Creates the id of a share, which is never mistaken for a slug. */
export const createShareId = (): string => {
  const id = createRandomId();
  return isSlug(id) ? createShareId() : id;
};

/**
 * Returns the id of the share that an id or a slug identifies. An id takes no request. If no share has the slug, it returns
 * the slug, which is no share's id: what is read next finds nothing then, as late as a share that isn't for the asker.
 */
export const resolveShareId = async (idOrSlug: string): Promise<string> => {
  if (!isSlug(idOrSlug)) return idOrSlug;
  const [item] = await batchGet([shareKeys.slug.at({ slug: idOrSlug })]);
  return (item && parseSlug(item).shareId) ?? idOrSlug;
};

/** Whether an owner can take a slug with this item. */
const isFree = (item: Item | undefined, ownerId: number): boolean => {
  if (!item) return true;
  const { releasedAt, releasedBy } = parseSlug(item);
  if (releasedAt === undefined) return false;
  return releasedBy === ownerId || releasedAt + slugRetentionMs <= Date.now();
};

/** Loads the lists of reserved names, which only a share with a new slug needs. */
const loadReserved = () => import('./reserved-slugs.ts');

const createSuggestions = async (slug: string): Promise<readonly string[]> => {
  const { isReserved } = await loadReserved();
  const endings = [
    '2',
    '3',
    '4',
    '5',
    ...Array.from({ length: 4 }, () => randomInt(1_000, 10_000)),
  ];
  const withEnding = (ending: string | number) =>
    `${slug.slice(0, maxSlugLength - 1 - String(ending).length)}-${ending}`;
  return [...new Set(endings.map(withEnding))].filter((one) => !isReserved(one));
};

/** Creates the error of a slug that can't be taken, with two that can. */
const unavailableError = async (
  slug: string,
  ownerId: number,
  reason: 'taken' | 'reserved',
): Promise<AppError> => {
  const others = await createSuggestions(slug);
  const items = await batchGet(others.map((one) => shareKeys.slug.at({ slug: one })));
  const [first, second] = others.filter((_, at) => isFree(items[at], ownerId));
  const message = `is ${reason}; free names are ${first} and ${second}`;
  return new AppError('CONFLICT', `The name “${slug}” ${message}.`, {
    details: [{ field: 'slug', message }],
  });
};

/** @throws AppError CONFLICT */
export const assertNotReserved = async (
  slug: string | null | undefined,
  ownerId: number,
): Promise<void> => {
  if (slug == null || !(await loadReserved()).isReserved(slug)) return;
  throw await unavailableError(slug, ownerId, 'reserved');
};

/** Creates the error of a slug that another share has, or had less than 90 days ago. */
export const slugTaken = ({ slug = '', ownerId }: Named): Promise<AppError> =>
  unavailableError(slug, ownerId, 'taken');

/** Creates the step that takes the slug of a share. */
export const takeSlug = ({ id, ownerId, slug }: Named): Step<'taken'> | undefined =>
  slug === undefined
    ? undefined
    : {
        write: {
          Put: {
            TableName: tableName(),
            Item: { slug, shareId: id, ...shareKeys.slug.at({ slug }) },
            ConditionExpression:
              'attribute_not_exists(pk) OR releasedBy = :owner OR releasedAt <= :before',
            ExpressionAttributeValues: {
              ':owner': ownerId,
              ':before': Date.now() - slugRetentionMs,
            },
          },
        },
        refused: 'taken',
      };

/** Creates the write that releases the slug of a share. */
export const releaseSlug = ({ id, ownerId, slug }: Named) => {
  if (slug === undefined) return undefined;
  const now = Date.now();
  return updateFields(
    shareKeys.slug.at({ slug }),
    {
      shareId: undefined,
      releasedAt: now,
      releasedBy: ownerId,
      ttl: Math.ceil((now + slugRetentionMs) / 1_000),
    },
    { expression: 'shareId = :id', values: { ':id': id } },
  );
};

/** Creates the steps that change the slug of a share. The first takes the new one. */
export const changeSlug = (before: Named, after: Named) =>
  before.slug === after.slug ? [] : [takeSlug(after), releaseSlug(before)];
