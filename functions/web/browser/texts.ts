/** Texts that several scripts share. */
export const commonTexts = {
  copied: 'Copied',
  dismiss: 'Dismiss',
  copyByHand: (shortcut: string) => `Press ${shortcut} to copy.`,
  unknownDevice: 'Unknown device',
} as const;

/** Names of the languages of shares. */
export const languageTexts = {
  markdown: 'Markdown',
  html: 'HTML',
} as const;

/** Texts of lists of shares. */
export const shareListTexts = {
  untitled: (language: string) => `Untitled ${language}`,
  fromOutside: (name: string) => `From outside: ${name}`,
  statuses: {
    active: '',
    ended: 'Ended',
    'taken-down': 'Taken down',
    suspended: 'Suspended',
  },
} as const;

/** Names of the states of share requests. */
export const requestStatusTexts = {
  open: 'Open',
  full: 'Complete',
  expired: 'Expired',
  closed: 'Closed',
  'taken-down': 'Taken down',
} as const;
