/** What a cell holds. Nothing is empty. */
export type CsvCell = string | number | boolean | null | undefined;

/** How columns and numbers are written: as RFC 4180 says, or as spreadsheets expect it whose decimal sign is a comma. */
export interface CsvStyle {
  readonly delimiter: ',' | ';';
  readonly decimal: '.' | ',';
}

const plain: CsvStyle = { delimiter: ',', decimal: '.' };

/** Makes spreadsheets read a file as UTF-8. */
export const byteOrderMark = '\uFEFF';

const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;

/** What spreadsheets run as a formula, and what would be taken for a text that was marked. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * What begins like a formula, and isn’t a number, after something that separates columns or lines: of this file, or of one that a
 * spreadsheet takes it for. Neither quotes nor blanks before it keep spreadsheets from running it.
 */
const separator = '[,;\\t\\r\\n]';
const blank = '[^\\S\\t\\r\\n]';
const number = `${blank}*[+-]?\\d+(?:\\.\\d+)?${blank}*(?:${separator}|$)`;
const likeFormula = `(?!${number})(?=(?:["']|${blank})*[=+\\-@＝＋－＠])`;
const unmarked = new RegExp(`(${separator})${likeFormula}`, 'g');
const marked = new RegExp(`(${separator})'${likeFormula}`, 'g');

const isNumber = (value: string): boolean => /^[+-]?\d+(\.\d+)?$/.test(value);

/**
 * Writes an apostrophe before whatever spreadsheets would run as a formula: a whole text, or what follows a separator in it.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const defuse = (value: string): string => {
  const inner = value.replace(unmarked, "$1'");
  return formula.test(value) && !isNumber(value) ? `'${inner}` : inner;
};

/** Removes the apostrophes that `writeCsvLine` writes before what is like a formula. */
export const withoutMark = (value: string): string => {
  const inner = value.replace(marked, '$1');
  return value.startsWith("'") && formula.test(value) ? inner.slice(1) : inner;
};

const toText = (value: CsvCell, { decimal }: CsvStyle): string => {
  if (typeof value === 'number') return String(value).replace('.', decimal);
  return typeof value === 'string' ? defuse(value) : String(value ?? '');
};

const needsQuotes = (text: string, delimiter: string): boolean =>
  text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text);

/** Writes a line of CSV (RFC 4180). */
export const writeCsvLine = (cells: readonly CsvCell[], style: CsvStyle = plain): string =>
  `${cells
    .map((cell) => toText(cell, style))
    .map((text) => (needsQuotes(text, style.delimiter) ? quote(text) : text))
    .join(style.delimiter)}\r\n`;
