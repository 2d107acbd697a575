import { type ErrorDetail, invalidField, invalidInput } from '../../../../shared/runtime/errors.ts';
import { findDelimiter } from '../../../../shared/text/csv.ts';
import { mapColumns, openTable, readRow } from '../../../../shared/text/csv-table.ts';
import { decodeText } from '../../../../shared/text/decode.ts';
import { importFields, maxLines, requiredFields } from './file.ts';

const problems = {
  quoteInText: 'has a quotation mark inside text; quote the whole text and double the mark',
  textAfterQuote: 'has text after a closing quotation mark',
  openQuote: 'has a quotation mark that is never closed',
} as const;

const readText = (bytes: Uint8Array, charset: string | undefined): string => {
  try {
    const text = decodeText(bytes, charset)?.text;
    if (text !== undefined) return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidField('content-type', 'has an unknown charset', error);
  }
  throw invalidField(
    'body',
    'must be text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252',
  );
};

/**
 * Reads a file of users: its first line names the columns, of which those without a field are left out.
 * @throws AppError VALIDATION_ERROR about the columns, or the lines that can't be read
 */
export const readUserFile = (bytes: Uint8Array, charset: string | undefined) => {
  const text = readText(bytes, charset);
  const { columns, records } = openTable(text, findDelimiter(text));
  const mapping = mapColumns(importFields, columns);
  const missing = requiredFields.filter((field) => mapping[field] === undefined);
  if (missing.length > 0) {
    throw invalidInput(
      missing.map((field) => ({
        field,
        message: 'must be the name of a column of the first line',
      })),
    );
  }
  const unreadable: ErrorDetail[] = [];
  const users: object[] = [];
  for (const record of records) {
    const { line, cells, problem } = record;
    if (users.length === maxLines) {
      throw invalidField('body', `has more than ${maxLines} lines; split the file`);
    }
    const message =
      problem === undefined
        ? `has ${cells.length} columns, but the first line has ${columns.length}`
        : problems[problem];
    if (problem !== undefined || cells.length !== columns.length) {
      unreadable.push({ field: `line ${line}`, message });
    } else users.push({ line, ...readRow(importFields, record, mapping) });
    if (unreadable.length === 50) break;
  }
  if (unreadable.length > 0) throw invalidInput(unreadable);
  return users;
};
