/** Texts of second factors. */
export const factorTexts = {
  code: '6-digit code',
  codeMissing: 'Enter the 6 digits that your authenticator app shows.',
  codeIncorrect: 'Incorrect code. Try again.',
  codeIs: (what: string) => `Code ${what}.`,

  prove: 'Confirm it’s you',
  proveBy: {
    totp: 'Enter the code from your authenticator app.',
    passkey: 'Use one of your passkeys.',
    recovery: 'Enter one of your recovery codes. Each works once.',
  },
  use: {
    totp: 'Use the authenticator app',
    passkey: 'Use a passkey',
    recovery: 'Use a recovery code',
  },
  recoveryCode: 'Recovery code',
  recoveryMissing: 'Enter a recovery code, such as 7hqp-m2xk.',
  proveByPassword: 'Enter your password to go on.',
  password: 'Password',
  passwordMissing: 'Enter your password.',
  passwordIncorrect: 'Incorrect password. Try again.',
  passwordIs: (what: string) => `Password ${what}.`,
  signInAgain: 'Sign in again',
  signInAgainAbout: 'This needs a sign-in of the last 15 minutes. Then you’re back on this page.',
  continueWith: (label: string) => `Continue with ${label}`,
  otherWay: 'Sign in another way',
  confirm: 'Confirm',
  cancel: 'Cancel',

  scan: 'Scan this with your app, or enter the key.',
  qr: 'QR code for your authenticator app',
  key: 'Key',
  keyHint: 'Time-based, 6 digits, 30 seconds',
  copyKey: 'Copy key',
  enterCode: 'Enter the code it shows',

  saveCodes: 'Save your recovery codes',
  codesAbout: 'They let you in without your phone. Each works once. You won’t see them again.',
  copy: 'Copy',
  download: 'Download',
  print: 'Print',
  saved: 'I saved the codes',
  done: 'Done',
  notSaved: 'Confirm that you saved the codes',
  codesFile: 'handbill-recovery-codes.txt',
  codesOf: (email: string, host: string) => `Recovery codes of ${email} for ${host}`,
  codesCreated: (day: string) => `Created ${day}. Each works once.`,
} as const;

/** Says what is wrong with a code, by what the API says about it, such as `is incorrect`. */
export const describeWrongCode = (what: string): string =>
  what === 'is incorrect' ? factorTexts.codeIncorrect : factorTexts.codeIs(what);

/** Says what is wrong with a password, by what the API says about it, such as `is incorrect`. */
export const describeWrongPassword = (what: string): string =>
  what === 'is incorrect' ? factorTexts.passwordIncorrect : factorTexts.passwordIs(what);
