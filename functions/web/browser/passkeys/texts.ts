/** What is said when a passkey could not be made or used. */
export const passkeyTexts = {
  canceled: 'That was canceled, or it took too long. Try again.',
  unsupported: 'This browser can’t use passkeys. Try another browser, or go on without.',
  alreadyAdded: 'This device already has a passkey for your account.',
  cannotKeep: 'This device can’t keep passkeys. Try another device or a security key.',
  wrongAddress: 'Passkeys don’t work at this address. Open the page at its usual address.',
  failed: 'Your device couldn’t use the passkey. Try again.',
  notLoaded: 'This couldn’t be loaded. Check your connection and reload the page.',
} as const;
