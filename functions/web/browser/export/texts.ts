/** Texts of exports of lists. */
export const exportTexts = {
  export: 'Export',
  csv: 'CSV, for spreadsheets',
  ndjson: 'NDJSON, for scripts',
  whole: (most: string) => `More than ${most} rows…`,
  started: 'The download begins',
  notAll: (most: string) => `The download begins. It has up to ${most} rows.`,
  title: (total: string | undefined) =>
    total === undefined ? 'Export the whole list' : `Export all ${total} rows`,
  about: (most: string) =>
    `A download has up to ${most} rows. The service can prepare a file of all: you’ll be notified when it’s ready, and find it in your account for 7 days.`,
  tooMany: (most: string) => `The file has up to ${most} rows. Narrow the filter for the others.`,
  format: 'Format',
  short: { csv: 'CSV', ndjson: 'NDJSON' },
  first: (most: string) => `First ${most} now`,
  prepare: 'Prepare file',
  cancel: 'Cancel',
  preparing: 'We’re preparing your file.',
  show: 'Show',
} as const;
