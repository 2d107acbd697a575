import { listKeyFamilies } from '../../../../infra/build/data-model.ts';
import { listShards, schema } from '../../../../shared/db/key.ts';
import { getAllScope } from '../../../../shared/records/index-entries.ts';

const sharded = (await listKeyFamilies())
  .map(({ family }) => family)
  .filter(({ pk }) => pk.includes(':shard of '))
  .map((family) => ({ family, shards: listShards(family) }));

/** Attributes in DynamoDB's JSON. */
type Attributes = Readonly<Record<string, object>>;

const textOf = (item: Attributes, name: string): string => {
  const { S = '' } = (item[name] ?? {}) as { readonly S?: string };
  return S;
};

/** Returns the shard that a key belongs to by its sort key or the record's id, or its partition if that is none. */
const findShard = (isIndex: boolean, pk: string, sk: string, id: number): string => {
  const found = sharded.find(
    ({ family, shards }) => family.isIndex === isIndex && shards.includes(pk),
  );
  if (!found) return pk.replace(/(?<=#)ALL#\d+/, getAllScope(id));
  return found.shards.find((shard) => found.family.read({ pk: shard, sk })) ?? pk;
};

/** Returns a copy of a record's item in the shards of its own ids: the text of a copy has those of the original. */
export const inOwnShards = <Copy extends Attributes>(item: Copy): Copy => {
  const changed: Record<string, object> = { ...item };
  const id = Number((item['id'] as { readonly N?: string } | undefined)?.N);
  for (const [isIndex, { partitionKey, sortKey }] of [
    [false, schema],
    [true, schema.index],
  ] as const) {
    const pk = textOf(item, partitionKey);
    if (pk !== '') changed[partitionKey] = { S: findShard(isIndex, pk, textOf(item, sortKey), id) };
  }
  return changed as Copy;
};
