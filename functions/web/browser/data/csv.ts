import { byteOrderMark, writeCsvLine } from '../../../../shared/text/write-csv.ts';

/** Writes rows as CSV (RFC 4180), with the mark that makes Excel read UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `${byteOrderMark}${rows.map((row) => writeCsvLine(row)).join('')}`;

/** Offers a text as a file to save. */
export const saveFile = (name: string, text: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
