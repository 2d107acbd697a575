import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import { queryItems } from '../../../../shared/db/query.ts';
import { shareKeys } from '../record/keys.ts';
import { type FoundShare, notFound, parseAccess, parseShare } from '../record/share.ts';

/** @throws AppError NOT_FOUND */
export const toFoundShare = (share: Item | undefined, access: Item | undefined): FoundShare => {
  if (!share || !access) throw notFound();
  return { share: parseShare(share), access: parseAccess(access) };
};

/** Reads the share and access items, and the content item if `last` is it: their sort keys follow each other. */
export const loadItems = async (
  id: string,
  last: 'access' | 'content',
): Promise<(Item | undefined)[]> => {
  const keys = [
    shareKeys.record.at({ id }),
    shareKeys.access.at({ id }),
    shareKeys.content.at({ id }),
  ] as const;
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': keys[0].pk,
      ':first': keys[0].sk,
      ':last': shareKeys[last].at({ id }).sk,
    },
    ConsistentRead: true,
  };
  const items = await queryItems(query, keys.length, undefined);
  return keys.map(({ sk }) => items.find((item) => item['sk'] === sk));
};

/**
 * Finds a share and its access item, whatever its status. One strongly consistent round trip; the query is billed by total
 * size, a batch of keys at least a read unit for each.
 * @throws AppError NOT_FOUND
 */
export const loadShare = async (id: string): Promise<FoundShare> => {
  const [share, access] = await loadItems(id, 'access');
  return toFoundShare(share, access);
};

/** Finds the shares that exist, with their access items. Strongly consistent, in one round trip for 50. */
export const loadShares = async (ids: readonly string[]): Promise<FoundShare[]> => {
  const items = await batchGet(
    ids.flatMap((id) => [shareKeys.record.at({ id }), shareKeys.access.at({ id })]),
  );
  return ids.flatMap((_, at) => {
    const [share, access] = items.slice(2 * at, 2 * at + 2);
    return share && access ? [toFoundShare(share, access)] : [];
  });
};
