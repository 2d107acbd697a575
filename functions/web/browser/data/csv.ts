const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;

/**
 * Writes a cell. Spreadsheets would run a text that begins like a formula, so it gets an apostrophe before it.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const toCell = (value: string): string => {
  const isFormula = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value);
  const safe = isFormula ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? quote(safe) : safe;
};

/** Writes rows as CSV (RFC 4180), with the mark that makes Excel read UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`;

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
