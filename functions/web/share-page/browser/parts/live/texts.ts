/** Texts of a page that follows the edits of its share. */
export const liveTexts = {
  updated: (time: string) => `Updated ${time}`,
  ended: 'This snippet has ended. You can read on until you leave the page.',
  unavailable: 'This snippet is no longer available. You can read on until you leave the page.',
  endedBadge: 'Ended',
  unavailableBadge: 'Not available',
  newer: 'A newer version is available. What you entered here will be lost.',
  show: 'Show it',
  changed: 'This snippet has changed. Reload the page to see it.',
  diagrams: 'Reload the page to see its diagrams.',
  reload: 'Reload',
  dismiss: 'Dismiss',
} as const;
