import { type Html, html } from '../../../../shared/text/html.ts';

/** Texts of the sign-in and registration pages. */
export const signInTexts = {
  signIn: 'Sign in',
  signedOut: {
    administrator: 'You were signed out by an administrator.',
    device: 'You were signed out from another device.',
    password: 'You were signed out because your password changed.',
    protection: 'You were signed out to protect your account.',
    deletion: 'You were signed out because your account will be deleted. Sign in to keep it.',
    expired: 'You were signed out because your session has expired.',
  },
  out: 'You’re signed out.',
  left: 'Your account will be deleted in 7 days. Sign in before then to keep it.',
  codeExpired: 'Confirming took too long, or your account changed. Sign in again.',
  toShare: 'Sign in to share. Your draft is kept.',
  toSee: 'Sign in to see this page.',
  toConnect: 'Sign in to connect an assistant.',
  toTry: 'Sign in to send requests as yourself.',
  forgot: 'Forgot password?',
  forgotTitle: 'Reset your password',
  forgotAbout: 'We’ll email you a link. It expires in 1 hour.',
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
  noPasswords: 'Passwords are off here',
  noPasswordsAbout: 'There’s none to reset. Sign in another way.',
  emailLinkTitle: 'Sign in by email',
  emailLinkAbout: 'Sign in on this device with the link that we emailed to you.',
  emailLinkAs: (email: string) =>
    `Sign in on this device as ${email}, with the link that we emailed to you.`,
  emailLinkOther: 'Sign in another way',
  codeMissing: 'Enter the 6 digits of the code.',
  codeSent: 'We’ve sent a new code. Earlier ones no longer work.',
  wait: (time: string) => `in ${time}`,
  linkIncomplete: 'This link is incomplete. Open it from the email again, or enter the code.',
  backToLogin: 'Back to sign in',
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

/** Texts of the page of an account that waits to be deleted. */
export const leavingTexts = {
  title: 'Your account will be deleted',
  heading: (day: string) => `Your account will be deleted on ${day}.`,
  about: (email: Html) =>
    html`You’re signed in as ${email}. Until then your shares don’t open. Keep the account, and everything is as before.`,
  keep: 'Keep it',
  signOut: 'Sign out',
} as const;

/** What is wrong with a field of a sign-in page. */
export const formTexts = {
  missing: (label: string) => `Enter your ${label.toLowerCase()}.`,
  noEmail: 'Enter an email address, such as name@example.com.',
  tooShort: (least: number) => `Enter at least ${least} characters.`,
  mismatch: 'The passwords don’t match.',
} as const;
