/** Returns whether the browser can use passkeys, so that a button for them makes sense. */
export const canUsePasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** Returns whether the browser suggests passkeys in a field, beside saved passwords. */
export const canSuggestPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() &&
  // Absent in older browsers.
  (await globalThis.PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
