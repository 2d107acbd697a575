import { getAttribute, type Item } from '../values/attribute-value.ts';
import { type Column, type Database, typed } from './database.ts';
import { Index, type IndexUnits } from './index-entries.ts';
import { type KeyAttributes, type TableSchema, toColumns, toKeyAttributes } from './schema.ts';

/** A stored item. */
export interface Stored {
  readonly id: number;
  readonly item: Item;
  readonly bytes: number;
}

/** The stored definition of a table. */
export interface TableRecord {
  readonly id: number;
  readonly description: TableSchema;
  /** The attribute with the expiry time, if enabled. */
  readonly ttl: string | undefined;
}

/** Index changes that a test holds back. */
export type HeldChanges = { apply(): void }[];

/** Returns an expiry time in whole seconds, if there is one. */
const toExpiry = (item: Item, attribute: string | undefined): number | null => {
  const value = attribute === undefined ? undefined : getAttribute(item, attribute)?.N;
  const seconds = Math.floor(Number(value ?? Number.NaN));
  return Number.isSafeInteger(seconds) ? seconds : null;
};

/** The items of a table and their index entries. */
export class Table {
  readonly record: TableRecord;
  readonly name: string;
  readonly keys: KeyAttributes;
  readonly source: string;
  readonly indexes: readonly Index[];
  readonly #database: Database;
  readonly #heldChanges: () => HeldChanges | undefined;
  readonly #sql: Readonly<Record<'get' | 'insert' | 'update' | 'delete', string>>;

  constructor(database: Database, record: TableRecord, heldChanges: () => HeldChanges | undefined) {
    this.#database = database;
    this.#heldChanges = heldChanges;
    this.record = record;
    const { description, id } = record;
    this.name = description.TableName;
    this.source = `items_${id}`;
    this.#sql = {
      get: `SELECT id, item, bytes FROM ${this.source} WHERE pk = ? AND sk = ?`,
      insert: `INSERT INTO ${this.source} (pk, sk, item, bytes, expiry) VALUES (?, ?, ?, ?, ?)`,
      update: `UPDATE ${this.source} SET item = ?, bytes = ?, expiry = ? WHERE id = ?`,
      delete: `DELETE FROM ${this.source} WHERE id = ?`,
    };
    this.keys = toKeyAttributes(description.KeySchema);
    this.indexes = (description.GlobalSecondaryIndexes ?? []).map(
      (index, at) => new Index(database, `index_${id}_${at + 1}`, index),
    );
  }

  create(): void {
    this.#database.run(`
      CREATE TABLE ${this.source} (id INTEGER PRIMARY KEY, pk, sk, item TEXT, bytes INTEGER, expiry INTEGER);
      CREATE UNIQUE INDEX ${this.source}_keys ON ${this.source} (pk, sk);
      CREATE INDEX ${this.source}_expiry ON ${this.source} (expiry) WHERE expiry IS NOT NULL`);
    for (const index of this.indexes) index.create();
  }

  drop(): void {
    this.#database.run(`DROP TABLE ${this.source}`);
    for (const index of this.indexes) index.drop();
  }

  /** Returns the item with a complete key. */
  get(key: Item): Stored | undefined {
    const row = typed<[number, string, number] | undefined>(
      this.#database.prepare(this.#sql.get).get(...toColumns(this.keys, key)),
    );
    return row && { id: row[0], item: JSON.parse(row[1]) as Item, bytes: row[2] };
  }

  /** Creates, replaces or deletes an item and its index entries. Returns the write units of the indexes. */
  write(before: Stored | undefined, after: Item | undefined, bytes: number): IndexUnits[] {
    const current = after ?? before?.item;
    if (!current) return [];
    const key = toColumns(this.keys, current);
    const id = this.#writeItem(before, after, key, bytes);
    return this.indexes.flatMap((index) => {
      const change = index.change(id, key, before?.item, after);
      if (!change) return [];
      const held = this.#heldChanges();
      if (held) held.push(change);
      else change.apply();
      return change;
    });
  }

  #writeItem(
    before: Stored | undefined,
    after: Item | undefined,
    key: readonly [Column, Column],
    bytes: number,
  ): number | bigint {
    if (!after) {
      this.#database.prepare(this.#sql.delete).run(before?.id ?? 0);
      return before?.id ?? 0;
    }
    const values = [JSON.stringify(after), bytes, toExpiry(after, this.record.ttl)] as const;
    if (before) {
      this.#database.prepare(this.#sql.update).run(...values, before.id);
      return before.id;
    }
    return this.#database.prepare(this.#sql.insert).run(...key, ...values).lastInsertRowid;
  }

  #rows(where: string, ...parameters: Column[]): Stored[] {
    const rows = typed<[number, string, number][]>(
      this.#database
        .prepare(`SELECT id, item, bytes FROM ${this.source} WHERE ${where}`)
        .all(...parameters),
    );
    return rows.map(([id, text, bytes]) => ({ id, item: JSON.parse(text) as Item, bytes }));
  }

  /** Returns some items whose expiry lies between two times in seconds, both excluded. */
  listExpired(after: number, before: number, limit: number): Stored[] {
    return this.#rows('expiry > ? AND expiry < ? LIMIT ?', after, before, limit);
  }

  /** Returns some items after a row, in the order of creation. */
  listAfter(id: number, limit: number): Stored[] {
    return this.#rows('id > ? ORDER BY id LIMIT ?', id, limit);
  }

  /** Sets the stored expiry of an item. */
  updateExpiry({ id, item }: Stored): void {
    this.#database
      .prepare(`UPDATE ${this.source} SET expiry = ? WHERE id = ?`)
      .run(toExpiry(item, this.record.ttl), id);
  }

  /** Returns the number of items and their size. */
  measure(): { readonly items: number; readonly bytes: number } {
    const [items, bytes] = typed<[number, number]>(
      this.#database.prepare(`SELECT count(*), coalesce(sum(bytes), 0) FROM ${this.source}`).get(),
    );
    return { items, bytes };
  }
}
