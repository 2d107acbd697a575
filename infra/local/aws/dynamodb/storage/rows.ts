import type { KeyCondition } from '../expressions/key-condition.ts';
import { type Column, type Database, typed } from './database.ts';
import { afterPrefix, toColumn } from './schema.ts';

/** A range of the items of a table or the entries of an index, in the order of their keys. */
export interface RowRange {
  /** The table in SQLite. */
  readonly source: string;
  /** The columns that order the rows. */
  readonly order: readonly string[];
  /** The partition; all if undefined. */
  readonly hash: Column | undefined;
  readonly range: KeyCondition | undefined;
  /** The columns of the row before the first one. */
  readonly start: readonly Column[] | undefined;
  readonly isReverse: boolean;
}

/** A row: its id, its item as JSON, its size in bytes. */
export type Row = readonly [id: number, item: string, bytes: number];

interface Clause {
  readonly sql: string;
  readonly parameters: readonly Column[];
}

const toClauses = (column: string, { operator, values }: KeyCondition): Clause[] => {
  const [first = '', second = ''] = values.map(toColumn);
  if (operator === 'between')
    return [{ sql: `${column} BETWEEN ? AND ?`, parameters: [first, second] }];
  if (operator !== 'begins_with') return [{ sql: `${column} ${operator} ?`, parameters: [first] }];
  const end = afterPrefix(first);
  return [
    { sql: `${column} >= ?`, parameters: [first] },
    ...(end === undefined ? [] : [{ sql: `${column} < ?`, parameters: [end] }]),
  ];
};

/** Iterates over the rows of a range. The iterator must end before the next write. */
export const iterateRows = (database: Database, range: RowRange): Iterable<Row> => {
  const { source, order, hash, start, isReverse } = range;
  const [hashColumn = '', ...others] = order;
  const isOneHash = hash !== undefined;
  const columns = isOneHash ? others : order;
  const clauses: Clause[] = [];
  if (isOneHash) clauses.push({ sql: `${hashColumn} = ?`, parameters: [hash] });
  if (range.range) clauses.push(...toClauses(others[0] ?? '', range.range));
  if (start) {
    const marks = columns.map(() => '?').join(', ');
    clauses.push({
      sql: `(${columns.join(', ')}) ${isReverse ? '<' : '>'} (${marks})`,
      parameters: start.slice(order.length - columns.length),
    });
  }
  const where = clauses.length > 0 ? `WHERE ${clauses.map(({ sql }) => sql).join(' AND ')}` : '';
  const direction = isReverse ? ' DESC' : '';
  const ordered = columns.map((column) => column + direction).join(', ');
  return typed<Iterable<Row>>(
    database
      .prepare(`SELECT id, item, bytes FROM ${source} ${where} ORDER BY ${ordered}`)
      .iterate(...clauses.flatMap(({ parameters }) => parameters)),
  );
};
