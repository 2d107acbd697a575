/** Texts of the mailbox. */
export const mailboxTexts = {
  title: 'Mailbox of this run',
  stays: 'No email leaves this computer',
  search: 'Search emails',
  clear: 'Clear',
  emails: 'Emails',
  none: 'No emails yet.',
  noMatch: 'No email matches.',
  needsScript: 'This page requires JavaScript. Enable it and reload the page.',
  from: 'From',
  to: 'To',
  showAs: 'Show as',
  email: 'Email',
  plainText: 'Plain text',
  source: 'Source',
  openLink: 'Open link',
  arrived: (subject: string) => `New email: ${subject}`,
} as const;
