import type { Key, KeyFamily, ListScope } from '../db/key.ts';

/** The keys of every kind's records, and those by which it lists them. */
export interface ListKeys {
  readonly record: KeyFamily<{ readonly id: number }, unknown>;
  readonly byId: KeyFamily<{ readonly list: ListScope }, { readonly id: number }>;
  readonly byName: KeyFamily<
    { readonly list: ListScope },
    { readonly sortName: string; readonly id: number }
  >;
  readonly byWord: KeyFamily<
    { readonly list: ListScope; readonly word: string },
    { readonly word: string; readonly id: number }
  >;
}

/** An item by which a list or a search finds a record. */
export interface ListEntry extends Key {
  readonly id: number;
  /** The name as lists sort it. */
  readonly sortName?: string;
  /** All words of the name, each after a space, for searches of several words. */
  readonly words?: string;
  /** Key of the entry for the `ALL` scope, in the index. */
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
}

/** Returns the scope of a record besides ALL. A public one has no entries in its owner's or readers' scopes. */
export const getListScope = (visibility: 'private' | 'everyone', ownerId: number): ListScope =>
  visibility === 'everyone' ? 'EVERYONE' : `OF#${ownerId}`;

/** Shards of ALL: each new record writes two units to one of them, so four take 2,000 records a second. */
const shards = 4;

/** The scopes of all records. */
export const allScopes: readonly ListScope[] = Array.from(
  { length: shards },
  (_, shard) => `ALL#${shard}` as const,
);

/** Returns the shard of ALL with a record. The last bits of ids are random. */
export const getAllScope = (id: number): ListScope => `ALL#${id % shards}`;

/** Creates an entry in a scope and, in the index, which is eventually consistent, in ALL. */
export const createEntry = <Attributes extends { readonly id: number }>(
  scope: ListScope,
  toKey: (list: ListScope) => Key,
  attributes: Attributes,
) => {
  const { pk, sk } = toKey(getAllScope(attributes.id));
  return { ...toKey(scope), ...attributes, gsi1pk: pk, gsi1sk: sk };
};

/**
 * Returns the readers who have an entry: none of a public record. A single entry per reader lets one transaction share a
 * record with many; lists filter and sort these on reading.
 */
export const getReaders = ({
  visibility,
  sharedWith,
}: {
  readonly visibility: 'private' | 'everyone';
  readonly sharedWith: readonly number[];
}): readonly number[] => (visibility === 'everyone' ? [] : sharedWith);
