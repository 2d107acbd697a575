import { ApiError } from '../../../../../browser/client/api-error.ts';
import { clientTexts } from '../../../../../browser/client/texts.ts';
import { PasskeyError } from '../../../../../browser/passkeys/passkey-error.ts';
import { signInByPasskey, suggestPasskeys } from '../../../../../browser/passkeys/sign-in.ts';
import { canUsePasskeys } from '../../../../../browser/passkeys/support.ts';

/** Lets the user sign in by a passkey: with the button, or by one that the browser suggests in the email field. */
export const handlePasskeys = (onSignedIn: () => void): void => {
  const ways = document.querySelector<HTMLElement>('[data-ways]');
  const button = ways?.querySelector<HTMLElement>('#use-passkey');
  const place = ways?.querySelector('[data-failure]');
  if (!ways || !button || !place || !canUsePasskeys()) return;
  ways.hidden = false;
  button.hidden = false;
  const showFailure = (error: unknown): void => {
    const isKnown = error instanceof ApiError || error instanceof PasskeyError;
    place.textContent = isKnown ? error.message : clientTexts.failed;
  };
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    place.textContent = '';
    button.setAttribute('aria-busy', 'true');
    try {
      await signInByPasskey();
      onSignedIn();
    } catch (error) {
      button.removeAttribute('aria-busy');
      showFailure(error);
    }
  });
  void suggestPasskeys({ onSignedIn, onFailure: showFailure });
};
