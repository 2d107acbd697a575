import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { styleText } from 'node:util';
import { toVisible, toVisibleJson, toVisibleLine } from '../../../../shared/text/visible.ts';

/**
 * Prints a text as it is. Whoever wrote it must not control the terminal of who reads it, so there it has a visible form;
 * pipes and files get each byte.
 */
export const printText = (text: string): void => {
  process.stdout.write(process.stdout.isTTY ? toVisible(text) : text);
};

/** Prints a line, or lines. */
export const print = (text: string): void => printText(`${text}\n`);

/** Prints bytes, as `printText` prints a text. */
export const printStream = async (source: Readable, signal: AbortSignal): Promise<void> => {
  const options = { end: false, signal };
  if (process.stdout.isTTY) await pipeline(source, showBytes, process.stdout, options);
  else await pipeline(source, process.stdout, options);
};

async function* showBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield toVisible(decoder.decode(chunk, { stream: true }));
  yield toVisible(decoder.decode());
}

/** Prints a value as JSON, for scripts. */
export const printJson = (value: unknown): void => {
  const json = JSON.stringify(value, null, 2);
  print(process.stdout.isTTY ? toVisibleJson(json) : json);
};

/** Tells the person at the terminal something that is no result. */
export const note = (text: string): void => {
  process.stderr.write(`${process.stderr.isTTY ? toVisible(text) : text}\n`);
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
  const shown = rows.map((row) => row.map(toVisibleLine));
  const widths = columns.map((name, at) =>
    Math.max(name.length, ...shown.map((row) => row[at]?.length ?? 0)),
  );
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const head = toLine(columns.map((name) => name.toUpperCase()));
  process.stdout.write(`${hasColor() ? styleText('dim', head) : head}\n`);
  for (const row of shown) print(toLine(row));
};

/** Prints names with their values, one a line. */
export const printFields = (fields: Readonly<Record<string, unknown>>): void => {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length)) + 1;
  const toText = process.stdout.isTTY ? toVisibleLine : String;
  for (const [name, value] of shown) {
    print(`${`${name}:`.padEnd(width)} ${toText(String(value))}`);
  }
};
