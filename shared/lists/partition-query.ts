import { schema } from '../db/key.ts';
import { type ListKey, type ListQuery, type Partition, partitionQuery } from '../db/query.ts';

/** Sorts after all that a key of the rest, an id, begins with. */
const end = '~';

/** Returns the sort keys of a partition with a prefix that are after one of them: the first and the last, both included. */
const rangeAfter = (prefix: string, after: string, isDescending: boolean) => {
  if (!isDescending) return [`${prefix}${after}${end}`, `${prefix}${end}`];
  const last = after.length - 1;
  const before = String.fromCharCode(after.charCodeAt(last) - 1);
  return [prefix, `${prefix}${after.slice(0, last)}${before}${end}`];
};

/**
 * Creates the query of a partition after an item. It continues by sort key, because the previous page may have ended in
 * another partition.
 */
export const queryAfter = (
  partition: Partition,
  isDescending: boolean,
  from: ListKey | undefined,
): ListQuery => {
  const { prefix, ...whole } = partition;
  if (!from) return partitionQuery(partition, isDescending);
  const { sortKey } = partition.ofIndex ? schema.index : schema;
  const query = partitionQuery(whole, isDescending);
  const after = String(from[sortKey]);
  const [first, last] = prefix === undefined ? [] : rangeAfter(prefix, after, isDescending);
  const condition =
    prefix === undefined ? `${isDescending ? '<' : '>'} :after` : 'BETWEEN :first AND :last';
  return {
    ...query,
    KeyConditionExpression: `${query.KeyConditionExpression} AND #sk ${condition}`,
    ExpressionAttributeNames: { ...query.ExpressionAttributeNames, '#sk': sortKey },
    ExpressionAttributeValues: {
      ...query.ExpressionAttributeValues,
      ...(prefix === undefined ? { ':after': after } : { ':first': first, ':last': last }),
    },
  };
};

const withoutPrefix = (text: unknown, prefix: string): unknown =>
  typeof text === 'string' && text.startsWith(prefix) ? text.slice(prefix.length) : text;

/** Returns an item of a partition with a prefix as it is sorted: by the rest of its sort key. */
export const toRest =
  ({ prefix = '' }: Partition) =>
  (item: ListKey): ListKey => {
    const rest: ListKey = { ...item };
    for (const name of [schema.sortKey, schema.index.sortKey]) {
      if (name in item) rest[name] = withoutPrefix(item[name], prefix);
    }
    return rest;
  };
