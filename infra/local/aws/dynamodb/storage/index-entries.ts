import { getAttribute, type Item } from '../values/attribute-value.ts';
import { measureItem } from '../values/item-size.ts';
import type { Column, Database } from './database.ts';
import { type IndexDescription, type KeyAttributes, toColumns, toKeyAttributes } from './schema.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const WRITE_UNIT_BYTES = 1024;

export const toWriteUnits = (bytes: number): number =>
  Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));

interface Entry {
  readonly key: readonly [Column, Column];
  readonly text: string;
  readonly bytes: number;
}

/** A global secondary index: its entries are copies of the items. */
export class Index {
  readonly name: string;
  readonly keys: KeyAttributes;
  /** The name of its table in SQLite. */
  readonly source: string;
  readonly #database: Database;

  constructor(database: Database, source: string, { IndexName, KeySchema }: IndexDescription) {
    this.#database = database;
    this.source = source;
    this.name = IndexName;
    this.keys = toKeyAttributes(KeySchema);
  }

  create(): void {
    this.#database.run(`
      CREATE TABLE ${this.source} (id INTEGER PRIMARY KEY, hash, range, pk, sk, item TEXT, bytes INTEGER);
      CREATE INDEX ${this.source}_keys ON ${this.source} (hash, range, pk, sk)`);
  }

  drop(): void {
    this.#database.run(`DROP TABLE ${this.source}`);
  }

  /** Returns the entry of an item, unless it lacks a key attribute of the index. */
  #entry(item: Item | undefined): Entry | undefined {
    if (!item || !this.keys.every(({ name }) => getAttribute(item, name))) return undefined;
    return {
      key: toColumns(this.keys, item),
      text: JSON.stringify(item),
      bytes: measureItem(item),
    };
  }

  /**
   * Prepares the change of an item's entry. Returns its write units, and the function that writes it; undefined if nothing
   * changes.
   */
  change(id: number | bigint, primary: readonly [Column, Column], before?: Item, after?: Item) {
    const [old, next] = [this.#entry(before), this.#entry(after)];
    if (old?.text === next?.text) return undefined;
    const isMoved = old && next && JSON.stringify(old.key) !== JSON.stringify(next.key);
    const units = isMoved
      ? toWriteUnits(old.bytes) + toWriteUnits(next.bytes)
      : toWriteUnits(Math.max(old?.bytes ?? 0, next?.bytes ?? 0));
    const apply = (): void => {
      if (next) {
        this.#database
          .prepare(`INSERT OR REPLACE INTO ${this.source} VALUES (?, ?, ?, ?, ?, ?, ?)`)
          .run(id, ...next.key, ...primary, next.text, next.bytes);
      } else this.#database.prepare(`DELETE FROM ${this.source} WHERE id = ?`).run(id);
    };
    return { name: this.name, units, apply };
  }
}

/** The write units of one index. */
export interface IndexUnits {
  readonly name: string;
  readonly units: number;
}
