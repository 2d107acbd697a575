/** Texts of the page of a share’s revisions. */
export const revisionsTexts = {
  heading: 'Revisions',
  title: (share: string) => `Revisions of ${share}`,
  back: 'Back to snippet',
  kept: 'Each change of the content keeps the previous one: the last 50 of 30 days, up to 16 MB in all.',
  none: 'There are no revisions.',
  until: 'Until',
  changes: 'Changes',
  raw: 'Raw',
  restore: 'Restore',
  revisionUntil: 'Revision until',
  comparedWith: 'compared with',
  current: 'Current content',
  next: 'Next revision',
  table: 'Differences',
  same: 'There are no differences.',
  lineEnds: (from: string, to: string) =>
    from === to ? 'Only line endings differ.' : `Line endings changed from ${from} to ${to}.`,
  cut: 'Only the first 256 KB of the differences are shown.',
} as const;
