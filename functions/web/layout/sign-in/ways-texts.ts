/** Texts of the ways to sign in besides the password, and of the code by email. */
export const waysTexts = {
  or: 'or',
  passkey: 'Sign in with a passkey',
  continueWith: (label: string) => `Continue with ${label}`,
  emailCode: 'Email me a code',

  checkEmail: 'Check your email',
  sentBefore: 'If there’s an account for ',
  sentAfter: ', we’ve sent it a code and a link.',
  code: '6-digit code',
  codeHint: 'Works for 10 minutes. Check your spam folder too.',
  signIn: 'Sign in',
  nothing: 'Nothing arrived?',
  sendAgain: 'Send a new code',
  otherWay: 'Sign in another way',
} as const;
