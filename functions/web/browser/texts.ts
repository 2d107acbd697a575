/** Texts that several scripts share. */
export const commonTexts = {
  unreachable: 'Can’t reach the server. Check your connection and try again.',
  failed: 'Something went wrong. Try again.',
  busy: 'The service is busy. Try again later.',
  copied: 'Copied',
  dismiss: 'Dismiss',
  copyByHand: 'Press Ctrl+C or ⌘C to copy.',
  unknownDevice: 'Unknown device',
  days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
} as const;

/** Names of the languages of shares. */
export const languageTexts = {
  markdown: 'Markdown',
  html: 'HTML',
} as const;

/** Texts of lists of shares. */
export const shareListTexts = {
  untitled: (language: string) => `Untitled ${language}`,
  statuses: {
    active: '',
    ended: 'Ended',
    'taken-down': 'Taken down',
    suspended: 'Suspended',
  },
} as const;
