const counted = (count: number, shown: string, noun: string): string =>
  `${shown} ${noun}${count === 1 ? '' : 's'}`;

/** Texts of importing a file, whatever is in it. */
export const fileTexts = {
  importFile: 'Import CSV',
  drop: 'Drop a CSV file here',
  choose: 'Choose file',
  chooseOther: 'Choose another file',
  file: 'CSV file',
  limits: (size: string, lines: string) =>
    `Up to ${size} and ${lines} lines, in UTF-8. The first line names the columns.`,
  columnsAbout: 'Columns',
  tooLarge: (size: string) => `The file is larger than ${size}. Split it.`,
  tooLong: (lines: string) => `The file has more than ${lines} lines. Split it.`,
  notText: 'The file isn’t text. Save it as “CSV UTF-8”.',
  readAs: (encoding: string) => `The file isn’t in UTF-8. It was read as ${encoding}.`,
  unmapped: (fields: string) => `Choose the column of ${fields}.`,
  mapping: 'Columns of the file',
  notInFile: 'Not in the file',
  column: (number: number) => `Column ${number}`,
  line: 'Line',
  errors: 'Errors',
  field: 'Field',
  fix: 'What to fix',
  value: (text: string) => `Now “${text}”`,
  moreErrors: (count: string) => `and ${count} more`,
  running: (done: string, count: string) => `Importing ${done} of ${count}`,
  show: 'Show import',
  progress: 'Progress of the import',
  stop: 'Stop',
  stopping: 'Stopping…',
  resume: 'Continue',
  done: 'Import finished',
} as const;

/** What is wrong with a line as such. */
export const lineTexts = {
  columns: (expected: number, found: number) =>
    `has ${counted(found, String(found), 'column')}, but the first line has ${expected}`,
  unreadable: {
    quoteInText: 'has a quotation mark inside text; quote the whole text and double the mark',
    textAfterQuote: 'has text after a closing quotation mark',
    openQuote: 'has a quotation mark that is never closed',
  },
} as const;
