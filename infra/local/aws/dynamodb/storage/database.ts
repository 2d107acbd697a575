import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { isServiceError } from '../service-error.ts';

export type Column = SQLInputValue;

/** Tests replace the global timers. */
const { setImmediate } = globalThis;

/** Writes that are committed and acknowledged together. */
interface Batch {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const createBatch = (): Batch => {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  // Each write reports the error.
  done.catch(() => {});
  return { done, resolve, reject };
};

/** Waits for a turn of the event loop, in which more writes join the batch. */
const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * One SQLite file, or a database in memory. Concurrent writes share a transaction and one synchronization of the log to the
 * disk, which runs outside the main thread: a write is acknowledged when it survives a power failure.
 */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #logPath: string | undefined;
  readonly #onRollback: () => void;
  readonly #statements = new Map<string, StatementSync>();
  #log: FileHandle | undefined;
  #batch: Batch | undefined;
  #running: Promise<void> | undefined;
  #last: Promise<void> | undefined;

  /** Opens a file, created if missing. `onRollback` runs after writes are undone. Throws SQLite's error. */
  constructor(path: string | undefined, onRollback: () => void) {
    this.#onRollback = onRollback;
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    this.#sqlite = new DatabaseSync(path ?? ':memory:');
    this.#logPath = path && `${path}-wal`;
    try {
      // NORMAL leaves the synchronization to this class.
      this.run(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
      );
      // Takes the lock, and creates the log.
      this.run('BEGIN IMMEDIATE; PRAGMA user_version = 1; COMMIT');
    } catch (error) {
      this.#sqlite.close();
      throw error;
    }
  }

  run(sql: string): void {
    this.#sqlite.exec(sql);
  }

  /** Returns a prepared statement whose rows are arrays. */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Discards prepared statements, for example those of a deleted table. */
  forgetStatements(): void {
    this.#statements.clear();
  }

  /**
   * Runs work that writes, and resolves when its writes are stored. Work that throws a ServiceError must not have written.
   */
  async write<Result>(work: () => Result): Promise<Result> {
    const batch = this.#open();
    let result: Result;
    try {
      result = work();
    } catch (error) {
      if (!isServiceError(error)) this.#abandon(batch, error);
      // A condition may have failed because of a write of this batch.
      await batch.done;
      throw error;
    }
    await batch.done;
    return result;
  }

  /** Runs work that reads. Resolves when all that it may have seen is stored. */
  async read<Result>(work: () => Result): Promise<Result> {
    const result = work();
    if (this.#last && this.#logPath !== undefined) await this.#last;
    return result;
  }

  #open(): Batch {
    if (this.#batch) return this.#batch;
    const batch = createBatch();
    this.run('BEGIN IMMEDIATE');
    this.#batch = batch;
    this.#last = batch.done;
    this.#running ??= this.#commitAll();
    return batch;
  }

  /** Undoes a batch after an error such as a full disk. */
  #abandon(batch: Batch, error: unknown): void {
    if (this.#batch !== batch) return;
    this.#batch = undefined;
    if (this.#sqlite.isTransaction) this.run('ROLLBACK');
    this.#onRollback();
    batch.reject(error);
  }

  async #commitAll(): Promise<void> {
    for (;;) {
      await nextTurn();
      const batch = this.#batch;
      if (!batch) break;
      try {
        this.run('COMMIT');
        this.#batch = undefined;
        await this.#synchronize();
        batch.resolve();
      } catch (error) {
        this.#abandon(batch, error);
        batch.reject(error);
      }
    }
    this.#last = undefined;
    this.#running = undefined;
  }

  async #synchronize(): Promise<void> {
    if (this.#logPath === undefined) return;
    this.#log ??= await open(this.#logPath, 'r+');
    await this.#log.datasync();
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#log?.close();
    this.#sqlite.close();
  }
}

/** Types the rows of a statement: its columns determine them, and the types of SQLite can't know. */
export const typed = <Rows>(rows: unknown): Rows => rows as Rows;
