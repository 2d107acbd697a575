import { type Html, html } from '../../../../shared/text/html.ts';

/** Texts of the sign-in and registration pages. */
export const signInTexts = {
  signIn: 'Sign in',
  signedOut: {
    administrator: 'You were signed out by an administrator.',
    device: 'You were signed out from another device.',
    password: 'You were signed out because your password changed.',
    protection: 'You were signed out to protect your account.',
    expired: 'You were signed out because your session has expired.',
  },
  toShare: 'Sign in to share. Your draft is kept.',
  toSee: 'Sign in to see this page.',
  toTry: 'Sign in to send requests as yourself.',
  forgot: 'Forgot password?',
  noAccount: 'New here?',
  register: 'Create an account',
  hasAccount: 'Already have an account?',
  makeAccount: 'Create account',
  verifyHint: 'We’ll email you a link to verify it.',
  domainHint: (domains: string) => `An address at ${domains}.`,
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

/** Texts of the page that verifies an email address. */
export const verifyTexts = {
  title: 'Verify your email address',
  signInFirst: 'Sign in to the account that the link was sent for. Then verify the address.',
  signIn: 'Sign in',
  about: (email: Html) => html`Is ${email} your email address?`,
  verify: 'Verify email address',
  confirmTitle: 'Confirm your new email address',
  confirmAbout: (email: Html, current: Html) =>
    html`${email} replaces ${current}. You sign in with the new address from then on.`,
  confirm: 'Confirm email address',
  otherAccount: 'This link is for another account',
  otherAccountAbout: (email: Html) => html`You’re signed in as ${email}.`,
  switchAccount: 'Sign out and switch account',
  badLink: 'This link is invalid or expired',
  badLinkAbout: 'It may have been used already or replaced by a newer one.',
  open: (email: Html) =>
    html`Open the link in the email we sent to ${email}. It expires after 24 hours. Check your spam folder too.`,
  noMail: 'This service doesn’t send email. Ask an administrator for a link.',
  unreachable: (email: Html) =>
    html`Emails to ${email} don’t arrive, so we send none. Ask an administrator to correct the address.`,
  send: 'Send new link',
  sent: 'We’ve sent a new link. Earlier ones no longer work.',
  signOut: 'Sign out',
  wrongAddress: 'Wrong address? Sign out and create an account with the right one.',
  done: 'Email address verified',
  doneAbout: (email: Html) => html`${email} is your verified address.`,
  goOn: 'Continue',
} as const;

/** What is wrong with a field of a sign-in page. */
export const formTexts = {
  missing: (label: string) => `Enter your ${label.toLowerCase()}.`,
  noEmail: 'Enter an email address, such as name@example.com.',
  tooShort: (least: number) => `Enter at least ${least} characters.`,
  mismatch: 'The passwords don’t match.',
} as const;
