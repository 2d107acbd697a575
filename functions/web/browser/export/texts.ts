/** Texts of exports of lists. */
export const exportTexts = {
  export: 'Export',
  csv: 'CSV, for spreadsheets',
  ndjson: 'NDJSON, for scripts',
  started: 'The download begins',
  notAll: (most: string) => `The file has the first ${most}. Narrow the filter for the others.`,
} as const;
