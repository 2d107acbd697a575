import { listShards } from '../../../shared/db/key.ts';
import { storageKeys } from '../../../shared/storage/keys.ts';

/** Returns scheduled deletions of so many objects, none of which exists, that are due now in one shard. */
export const deletionsOf = (shard: number, count: number) => {
  const [at, pk] = [new Date().toISOString(), listShards(storageKeys.deletion)[shard]];
  const items: { readonly pk: string; readonly sk: string; readonly key: string }[] = [];
  for (let name = 0; items.length < count; name++) {
    const key = `texts/none/${name}`;
    const item = { ...storageKeys.deletion.at({ at, key }), key };
    if (item.pk === pk) items.push(item);
  }
  return items;
};
