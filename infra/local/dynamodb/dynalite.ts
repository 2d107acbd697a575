import { createRequire } from 'node:module';

/** An attribute value in DynamoDB's JSON: one type letter and its content, e.g. `{ S: 'text' }`. */
export type AttributeValue = Record<string, unknown>;
export type Item = Record<string, AttributeValue>;

export interface Table {
  TableName: string;
  TableStatus: string;
  KeySchema: { AttributeName: string }[];
  GlobalSecondaryIndexes?: {
    IndexName: string;
    IndexStatus: string;
    KeySchema: { AttributeName: string }[];
  }[];
}

export type Callback<Result = unknown> = (error?: unknown, result?: Result) => void;

/** The types of a request's fields, in the form of dynalite's validation modules. */
export type FieldTypes = Record<string, unknown>;

export interface RequestRules {
  types: FieldTypes;
  custom?: (data: RequestData, store: object) => string | undefined;
}

/** A request that has passed its type checks. */
export type RequestData = Record<string, unknown>;

export type Action = (store: object, data: RequestData, callback: Callback<object>) => void;

interface Rules {
  checkTypes(data: object, types: FieldTypes): RequestData;
  checkValidations(
    data: RequestData,
    types: FieldTypes,
    custom: RequestRules['custom'],
    store: object,
  ): void;
}

interface Keys {
  /** Returns the store's key for an item or its primary key. */
  createKey(item: Item, table: Table): string;
  /** Returns the error of invalid key attributes, if any. */
  validateKey(key: Item, table: Table): Error | undefined;
  validateItem(item: Item, table: Table): Error | undefined;
}

export type Write =
  | { type: 'put'; key: string; value: unknown }
  | { type: 'del'; key: string; value?: undefined };

export interface Range {
  gt?: string;
  gte?: string;
  lt?: string;
  lte?: string;
  reverse?: boolean;
  /** -1 means no limit. */
  limit?: number;
}

export interface LevelIterator<Entry> {
  nextv(size: number): Promise<Entry[]>;
  close(): Promise<void>;
}

export interface Snapshot {
  close(): Promise<void>;
}

/** The part of abstract-level's database that the engine uses. */
export interface Level {
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: string, options?: { snapshot: Snapshot }): unknown;
  snapshot(): Snapshot;
  batch(writes: Write[], options?: { valueEncoding: 'utf8' }): Promise<void>;
  clear(range: Range): Promise<void>;
  keys(range: Range): LevelIterator<string>;
  values(range: Range & { valueEncoding?: 'utf8' }): LevelIterator<unknown>;
}

const require = createRequire(import.meta.url);
// LevelDB is dynalite's dependency, not the project's.
const requireFromDynalite = createRequire(require.resolve('dynalite'));

export const { Level: DiskLevel } = requireFromDynalite('level') as {
  Level: new (path: string, options: { valueEncoding: 'json' }) => Level;
};
export const { MemoryLevel } = requireFromDynalite('memory-level') as {
  MemoryLevel: new (options: { valueEncoding: 'json' }) => Level;
};

export const keys = require('dynalite/db') as Keys;
export const rules = require('dynalite/validations') as Rules;

const moduleName = (operation: string): string => operation[0]?.toLowerCase() + operation.slice(1);

/** Returns dynalite's code for one operation, without its HTTP server. */
export const getAction = (operation: string): Action =>
  require(`dynalite/actions/${moduleName(operation)}`) as Action;

/** Returns dynalite's rules for the requests of one operation. */
export const getRules = (operation: string): RequestRules =>
  require(`dynalite/validations/${moduleName(operation)}`) as RequestRules;
