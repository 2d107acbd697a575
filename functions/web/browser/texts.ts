/** Texts of the scripts of several pages. */
export const commonTexts = {
  unreachable: 'The service can’t be reached. Try again in a moment.',
  failed: 'Something went wrong. Try again.',
  busy: 'The service is busy. Try again in a moment.',
  copied: 'Copied.',
  copyByHand: 'It is selected: copy it by hand.',
  unknownDevice: 'Unknown device',
  days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
} as const;

/** Texts of the check-in card. */
export const checkinTexts = {
  title: 'Daily check-in',
  points: 'Points',
  streak: 'Streak',
  checkIn: 'Check in',
  openToday: 'Not checked in yet today.',
  doneToday: (next: string) => `Checked in today. The next one is open from ${next}.`,
  earned: (points: number) => `You earned ${points} points.`,
} as const;

/** The languages of shares. */
export const languageTexts = {
  markdown: 'Markdown',
  html: 'HTML',
} as const;

/** Texts of the lists of shares. */
export const shareListTexts = {
  untitled: (language: string) => `Untitled ${language}`,
  statuses: {
    active: '',
    ended: 'Ended',
    'taken-down': 'Taken down',
    suspended: 'Suspended',
  },
} as const;
