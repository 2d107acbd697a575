import { tableNotFound } from '../service-error.ts';
import { Database, typed } from './database.ts';
import { createRequestTokens, type RequestTokens } from './request-tokens.ts';
import { type HeldChanges, Table, type TableRecord } from './table.ts';

/** All tables, in one file or in memory. */
export class Store {
  readonly database: Database;
  tokens: RequestTokens = createRequestTokens();
  readonly #tables = new Map<string, Table>();
  #heldChanges: HeldChanges | undefined;

  /** Opens a file, created if missing, or a store in memory. Throws SQLite's error. */
  constructor(path: string | undefined) {
    this.database = new Database(path, () => this.#load());
    this.database.run(
      'CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, name TEXT UNIQUE, record TEXT)',
    );
    this.#load();
  }

  /** Reads the definitions of all tables, and forgets what was kept of requests. */
  #load(): void {
    this.tokens = createRequestTokens();
    this.#tables.clear();
    const rows = typed<[string][]>(this.database.prepare('SELECT record FROM tables').all());
    for (const [text] of rows) this.#add(JSON.parse(text) as TableRecord);
  }

  #add(record: TableRecord): Table {
    const table = new Table(this.database, record, () => this.#heldChanges);
    this.#tables.set(table.name, table);
    return table;
  }

  find(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  /** Returns a table. Throws the error of operations on items. */
  get(name: string): Table {
    const table = this.find(name);
    if (table) return table;
    throw tableNotFound();
  }

  list(): string[] {
    return [...this.#tables.keys()].sort();
  }

  /** Stores the definition of a new or changed table; part of a write. */
  put(record: Omit<TableRecord, 'id'> & { readonly id?: number }): Table {
    const { id = this.#nextId(), ...rest } = record;
    const stored = { ...rest, id };
    this.database
      .prepare('INSERT OR REPLACE INTO tables VALUES (?, ?, ?)')
      .run(id, stored.description.TableName, JSON.stringify(stored));
    return this.#add(stored);
  }

  #nextId(): number {
    const [id] = typed<[number]>(
      this.database.prepare('SELECT coalesce(max(id), 0) + 1 FROM tables').get(),
    );
    return id;
  }

  /** Deletes a table and its items; part of a write. */
  delete(table: Table): void {
    this.database.forgetStatements();
    table.drop();
    this.database.prepare('DELETE FROM tables WHERE id = ?').run(table.record.id);
    this.#tables.delete(table.name);
  }

  /**
   * Holds back all changes of global indexes from now on, as if AWS had not propagated them yet. Returns a function that
   * applies them.
   */
  holdIndexes(): () => Promise<void> {
    const held: HeldChanges = [];
    this.#heldChanges = held;
    return async () => {
      this.#heldChanges = undefined;
      await this.database.write(() => {
        for (const change of held) change.apply();
      });
    };
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
