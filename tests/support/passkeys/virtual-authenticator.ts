import type { Page } from 'playwright-core';

/** Chromium's own authenticator, in place of a device. https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn */
export interface VirtualAuthenticator {
  /** Sets whether a user is there who presses the button at once. */
  setPresent(isPresent: boolean): Promise<void>;
  /** Sets how often each passkey says to have signed. */
  setCounter(counter: number): Promise<void>;
  countPasskeys(): Promise<number>;
}

/** Gives a page an authenticator of its own whose user is there and, unless it can't, proves to be the owner. */
export const addAuthenticator = async (
  page: Page,
  hasUserVerification = true,
): Promise<VirtualAuthenticator> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  });
  const list = async () =>
    (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    setPresent: async (enabled) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    setCounter: async (signCount) => {
      for (const credential of await list()) {
        await cdp.send('WebAuthn.removeCredential', {
          authenticatorId,
          credentialId: credential.credentialId,
        });
        await cdp.send('WebAuthn.addCredential', {
          authenticatorId,
          credential: { ...credential, signCount },
        });
      }
    },
    countPasskeys: async () => (await list()).length,
  };
};
