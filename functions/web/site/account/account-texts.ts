/** Counts something; `#` stands for the number. */
export const times = (count: number, one: string, many: string): string =>
  count === 1 ? one : many.replace('#', count.toLocaleString('en'));

/** Texts of the account page. */
export const accountTexts = {
  title: 'Account',
  parts: 'Parts of your account',
  tabs: {
    profile: 'Profile',
    security: 'Security',
    tokens: 'API tokens',
    assistants: 'Assistants',
    webhooks: 'Webhooks',
    'check-in': 'Check-in',
  },
  missing: (label: string) => `Enter your ${label.toLowerCase()}.`,
  changedElsewhere: 'Your account changed in the meantime. Check it and save again.',

  optional: (label: string) => `${label} (optional)`,
  noTimezone: 'Not set',
  notificationSettings: 'Choose what you’re notified of',
  saveProfile: 'Save profile',
  profileSaved: 'Profile saved',

  today: 'today',

  createToken: 'Create token',
  addWebhook: 'Add webhook',
  yourAccount: 'your account',

  checkInAbout: 'Check in once a day to earn points. Miss a day and your streak starts over.',
  checkIn: 'Check in',
  checkedIn: 'Checked in',
  streak: 'Streak',
  dayCount: (count: number) => times(count, '1 day', '# days'),
  points: 'Points',
  next: 'Next',
  now: 'Now',
  lastDays: 'Last 30 days',
  earned: (points: string) => `+${points}`,
} as const;
