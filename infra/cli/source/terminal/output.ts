import { styleText } from 'node:util';

/** Prints a line, or lines. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Prints a value as JSON, for scripts. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Tells the person at the terminal something that is no result. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const hasColor = (): boolean => process.stdout.isTTY && !process.env['NO_COLOR'];

/** Prints rows below the names of their columns. Pipes get tabs instead of names, blanks and color. */
export const printTable = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): void => {
  if (!process.stdout.isTTY) {
    for (const row of rows) print(row.join('\t'));
    return;
  }
  const widths = columns.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const head = toLine(columns.map((name) => name.toUpperCase()));
  print(hasColor() ? styleText('dim', head) : head);
  for (const row of rows) print(toLine(row));
};

/** Prints names with their values, one a line. */
export const printFields = (fields: Readonly<Record<string, unknown>>): void => {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length)) + 1;
  for (const [name, value] of shown) print(`${`${name}:`.padEnd(width)} ${value}`);
};
