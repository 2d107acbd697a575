/** Texts of the page that sets up a required second factor. */
export const enrolTexts = {
  title: 'Set up a second factor',
  about:
    'Your role requires one. After your password, you then confirm that it’s you by an app on your phone or by a passkey.',
  authenticator: 'Use an authenticator app',
  passkey: 'Use a passkey',
  noPasskeys: 'This browser can’t use passkeys.',
  signOut: 'Sign out',
  back: 'Back',
  setUp: 'Set up your authenticator app',
  turnOn: 'Turn on',
  saveCodes: 'Save your recovery codes',
} as const;
