/** Texts of the step that follows the password, as it is rendered. */
export const secondFactorTexts = {
  confirmTitle: 'Confirm it’s you',
  enterCode: 'Enter the code from your authenticator app.',
  code: '6-digit code',
  remember: 'Don’t ask on this device for 30 days',
  confirm: 'Confirm',
  or: 'or',
  usePasskey: 'Use a passkey',
  passkeyAbout: 'Use your passkey: your device, or a security key.',
  passkeyNeedsScript: 'Passkeys require JavaScript. Enable it and sign in again.',
  useRecovery: 'Use a recovery code',
  recoveryAbout: 'Enter one of the 10 codes you saved. Each works once.',
  recoveryCode: 'Recovery code',
  recoveryPlaceholder: 'xxxx-xxxx',
  noneLeft: 'No code left? Ask an administrator to reset your second factor.',
  otherWay: 'Use another way',
  someoneElse: 'Sign in as someone else',
} as const;
