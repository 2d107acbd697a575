/** What all pages of revisions say, of shares and of documents. */
export const revisionTexts = {
  heading: 'Revisions',
  changes: 'Changes',
  restore: 'Restore',
  comparedWith: 'compared with',
  current: 'Current content',
  next: 'Next revision',
  table: 'Differences',
  same: 'There are no differences.',
  lineEnds: (from: string, to: string) =>
    from === to ? 'Only line endings differ.' : `Line endings changed from ${from} to ${to}.`,
  cut: 'Only the first 256 KB of the differences are shown.',
} as const;
