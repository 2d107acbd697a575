import { type Html, html } from '../../../shared/text/html.ts';

/** Texts of the pages that set a password. */
export const passwordTexts = {
  reset: {
    title: 'Choose a new password',
    about: (email: Html) => html`For ${email}. This signs you in here and out everywhere else.`,
  },
  invitation: {
    title: 'Accept your invitation',
    about: (email: Html) => html`Choose a password for ${email}.`,
  },
  submit: 'Save and sign in',
  mismatch: 'The passwords don’t match.',
  done: 'Password set',
  doneAbout: 'You can sign in with it now.',
  signIn: 'Sign in',
  off: 'Sign in without a password',
  offAbout:
    'Passwords are off here, so this link sets none. Your account is there: sign in with its email address.',
} as const;

/** Texts of the page that undoes a change of the email address. */
export const undoTexts = {
  title: 'Restore your email address',
  about: (email: Html, changedAt: string) =>
    html`Your email address was changed from ${email} to a different one on ${changedAt}.`,
  cost: 'If it wasn’t you, restore it. This removes your password and ends all sessions and API tokens.',
  submit: 'Restore email address',
  done: 'Email address restored',
  sent: (email: Html) => html`We sent a password reset link to ${email}.`,
  restored: (email: Html) => html`Your email address is ${email} again. Sign in with it.`,
  notSent: (email: Html) =>
    html`Your email address is ${email} again. Ask an administrator for a password reset link.`,
} as const;

/** Texts of the pages for links that can’t be used. */
export const linkErrorTexts = {
  invalid: 'This link is invalid or expired',
  invalidAbout: 'It may have been used already or replaced by a newer one.',
  next: {
    reset: html`<a class="btn primary lg wide" href="/forgot">Request a new link</a>`,
    invitation: html`<p>Already have a password? <a href="/login">Sign in</a>. Otherwise ask for a new invitation.</p>`,
    undo: html`<p>If you can’t sign in, contact an administrator.</p>`,
  },
} as const;

/** Texts of the step that follows the password. */
export const secondFactorTexts = {
  incorrect: 'Incorrect code. Try again.',
} as const;
