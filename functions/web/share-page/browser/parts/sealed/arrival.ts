import { keepAddressKey } from '../../../../browser/sealed/kept-key.ts';
import { hasKeyInAddress } from './address.ts';

/** How long the page waits to learn whose visit it is. ms. */
const maxMs = 10_000;

/**
 * The browser came from another site, so it sent no session cookie. Requests of this script carry it: who is signed in gets the
 * page again as it is for them, with the key that this tab keeps. Returns whether the page is left.
 */
export const leaveIfSignedIn = async (): Promise<boolean> => {
  const signal = AbortSignal.timeout(maxMs);
  const response = await fetch('/api/auth/me', { signal }).catch(() => undefined);
  if (!response?.ok) return false;
  // Without storage, the key is in the address alone.
  if (!keepAddressKey() && hasKeyInAddress()) return false;
  location.replace(location.pathname + location.search);
  return true;
};
