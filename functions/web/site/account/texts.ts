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
