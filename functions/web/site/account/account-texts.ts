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
    sessions: 'Sessions',
    tokens: 'API tokens',
    'check-in': 'Check-in',
  },
  missing: (label: string) => `Enter your ${label.toLowerCase()}.`,
  changedElsewhere: 'Your account changed in the meantime. Check it and save again.',

  optional: (label: string) => `${label} (optional)`,
  noTimezone: 'Not set',
  notificationSettings: 'Choose what you’re notified of',
  saveProfile: 'Save profile',
  profileSaved: 'Profile saved',

  email: 'Email',
  emailHint: 'Confirm with your current password.',
  emailAbout: 'The new address counts once you open the link that we email to it.',
  verified: 'Verified',
  notVerified: 'Not verified',
  sendLink: 'Send link',
  sendAgain: 'Send again',
  linkSent: (email: string) => `Link sent to ${email}`,
  pending: (email: string) =>
    `Open the link in the email we sent to ${email}. Until then your address stays as it is.`,
  cancelChange: 'Cancel change',
  changeCanceled: 'Email change canceled',
  changeEmail: 'Change email',
  emailProblems: {
    bounce: (email: string, day: string) =>
      `An email to ${email} bounced on ${day}, so we send none. Enter an address that works.`,
    complaint: (email: string, day: string) =>
      `An email to ${email} was reported as spam on ${day}, so we send none. Enter another address to get them again.`,
  },
  emailChanged: (email: string) => `Email changed to ${email}`,
  sameEmail: 'Enter a new email.',
  noEmail: 'Enter an email address, such as name@example.com.',

  password: 'Password',
  passwordAbout: 'Changing your password signs you out on all other devices.',
  tooShort: 'Enter at least 6 characters.',
  mismatch: 'The passwords don’t match.',
  endTokens: 'Also revoke all API tokens',
  endTokensHint: 'Choose this if someone else may know your password.',
  changePassword: 'Change password',
  passwordChanged: 'Password changed. All other sessions were signed out.',
  passwordChangedTokens:
    'Password changed. All other sessions were signed out and all API tokens revoked.',

  sessionsAbout: 'Devices where you’re signed in.',
  thisSession: 'This device',
  sessionAbout: (address: string, used: string, since: string) =>
    `${address} · Last used ${used} · Signed in ${since}`,
  end: 'Sign out',
  endOne: (device: string, about: string) => `Sign out: ${device}, ${about}`,
  endOthers: 'Sign out all other sessions',
  confirmEndOthers: (count: number) =>
    times(count, 'Sign out 1 other session?', 'Sign out # other sessions?'),
  confirmEndOthersText: 'Those devices have to sign in again. API tokens stay valid.',
  ended: (count: number) => times(count, '1 session signed out', '# sessions signed out'),
  notEnded: (devices: string, why: string) => `Couldn’t sign out ${devices}. ${why}`,

  createToken: 'Create token',
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
