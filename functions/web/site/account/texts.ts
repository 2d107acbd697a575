/** Texts of the sign-in and registration pages. */
export const signInTexts = {
  signIn: 'Sign in',
  forgot: 'Forgot password?',
  noAccount: 'New here?',
  register: 'Create an account',
  hasAccount: 'Already have an account?',
  makeAccount: 'Create account',
  invitedHint: 'Use the email address your invitation was sent to.',
  closed: 'Registration is closed',
  closedAbout: 'New accounts can’t be created here. Ask an administrator for access.',
  invitedOnly: 'Invitation required',
  invitedOnlyAbout:
    'Open the link in your invitation to create an account. No invitation? Ask an administrator.',
  noMail: 'This service doesn’t send email. Ask an administrator for a password reset link.',
  forgotHint: 'We’ll email you a password reset link. It expires in 1 hour.',
  sendLink: 'Send reset link',
  linkSent: 'If the account exists, we’ve emailed a link. Check your spam folder too.',
} as const;

/** What is wrong with a field of a sign-in page. */
export const formTexts = {
  missing: (label: string) => `Enter your ${label.toLowerCase()}.`,
  noEmail: 'Enter an email address, such as name@example.com.',
  tooShort: (least: number) => `Enter at least ${least} characters.`,
  mismatch: 'The passwords don’t match.',
} as const;

/** Texts of the account page. */
export const accountTexts = {
  title: 'Account',
  signOut: 'Sign out',
  loading: 'Loading…',
  profile: 'Profile',
  saveProfile: 'Save profile',
  notifyNewSignIns: 'Notify me about new sign-ins',
  notifyNewSignInsHint: 'By email and notification, when you sign in from a new device or network.',
  changeEmail: 'Change email',
  emailHint: 'Confirm with your current password.',
  passwordAbout: 'Changing your password signs you out on all other devices.',
  changePassword: 'Change password',
  endTokens: 'Also revoke all API tokens',
  endTokensHint: 'Choose this if someone else may know your password.',
  sessions: 'Sessions',
  sessionsAbout: 'Devices where you’re signed in.',
  endOthers: 'Sign out all other sessions',
  tokens: 'API tokens',
  tokensAbout: 'Use tokens to call the API from scripts.',
  noTokens: 'No API tokens yet.',
  newToken: 'Copy your new token now. You won’t see it again.',
  copy: 'Copy',
  makeToken: 'Create token',
  tokenName: 'Token name',
  tokenDays: 'Expires in (days)',
  tokenDaysHint: 'Leave empty for no expiration.',
  permissions: 'Permissions',
  permissionsHint:
    'Separate with spaces, for example documents:view files:*. Leave empty to grant all your permissions.',
  submitToken: 'Create token',
  thisSession: 'This device',
  end: 'Sign out',
  allPermissions: 'All permissions',
  revoke: 'Revoke',
  revoked: 'Token revoked',
  saved: 'Saved',
  passwordChanged: 'Password changed. All other sessions were signed out.',
  passwordChangedTokens:
    'Password changed. All other sessions were signed out and all API tokens revoked.',
  confirmEndOthers: 'Sign out all other sessions?',
  untilRevoked: 'No expiration',
  neverUsed: 'Never used',
  sessionAbout: (address: string, used: string) => `${address} · Last used ${used}`,
  ended: (count: number) => (count === 1 ? '1 session signed out' : `${count} sessions signed out`),
  confirmRevoke: (name: string) =>
    `Revoke “${name}”? Anything that uses it stops working immediately.`,
  until: (day: string) => `Expires ${day}`,
  lastUsed: (time: string) => `Last used ${time}`,
} as const;
