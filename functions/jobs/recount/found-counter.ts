import { type Counter, getShard } from '../../../shared/counters/counter.ts';
import type { Key } from '../../../shared/db/key.ts';
import { counted } from './counters.ts';
import type { Item } from './user-recount.ts';

/** A counter with certain parts. */
export interface FoundCounter {
  /** A unique name for people. */
  readonly name: string;
  /** The keys of all its shards, some of which may not exist. */
  readonly shards: readonly Key[];
  /** The record that the counter is deleted with. */
  readonly owner: Key | undefined;
}

/** Returns the counter with these parts. */
export const toFound = (counter: Counter, parts: object): FoundCounter => ({
  name: counter.describe(parts as never),
  shards: Array.from({ length: counter.shards }, (_, shard) => getShard(counter, parts, shard)),
  owner: counter.owner?.(parts as never),
});

const counters = new Set(counted.flatMap((one) => one.counters));

/** Finds the counter that an item of the table belongs to. */
export const findCounter = (item: Key): FoundCounter | undefined => {
  for (const counter of counters) {
    const parts = counter.family.read(item);
    if (parts) return toFound(counter, parts);
  }
  return undefined;
};

/** Lists what an item of the table adds to counters. */
export const listCounts = (item: Item) =>
  counted.flatMap(({ record, of }) => {
    const parts = record.read(item);
    return parts ? of(item as never, parts as never) : [];
  });
