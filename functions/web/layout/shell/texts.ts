const plural = (count: number, one: string, many: string): string =>
  count === 1 ? one : many.replace('#', String(count));

/** Texts of the frame of the console's pages. */
export const shellTexts = {
  shortNavigation: 'Main pages',
  jump: 'Search or jump to',
  administration: 'Administration',
  streak: (days: number) =>
    days === 0 ? 'No streak yet' : plural(days, '1 day in a row', '# days in a row'),
  checkIn: 'Check in',
  checkedIn: 'Checked in',
  account: 'Account',
  keys: 'Keyboard shortcuts',
  docs: 'API reference',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  signIn: 'Sign in',
  signOut: 'Sign out',
  more: 'More',
  loadingNotifications: 'Loading…',
} as const;
