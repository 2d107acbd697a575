import { byId, controls } from '../elements.ts';
import { isSealed, noteSealed } from './sealed.ts';

const { sealed, hasPassphrase, passphrase, passwordMode, embedOrigins, showsRevisions } = controls;

/** What is chosen about sealing. */
export interface ChosenSeal {
  readonly isSealed: boolean;
  /** Whether a passphrase joins the key. */
  readonly hasPassphrase: boolean;
}

/** Why a switch can’t be used. */
export const reasons = byId('sealing').dataset;

/** The options that a sealed share can’t have, which the service may not allow either. */
const impossible = [embedOrigins, showsRevisions].filter(({ disabled }) => !disabled);

/** Fixes a switch and says why. */
export const fix = (control: HTMLInputElement, why: string | undefined): void => {
  control.disabled = true;
  const hint = byId(`${control.id}-hint`);
  hint.textContent = why ?? '';
  hint.hidden = false;
};

/** Shows what belongs to a sealed share, or not, and returns what is chosen. */
export const showSeal = (): ChosenSeal => {
  noteSealed();
  for (const control of impossible) control.disabled = sealed.checked;
  byId('own-passphrase').hidden = !hasPassphrase.checked || hasPassphrase.disabled;
  return {
    isSealed: isSealed.value,
    hasPassphrase: isSealed.value && hasPassphrase.checked,
  };
};

// Browsers encrypt on secure pages only.
if (!isSecureContext) fix(sealed, reasons['needsHttps']);
// Who wants a password wants a passphrase instead, and the reverse: neither is dropped without a word.
sealed.addEventListener('input', () => {
  if (!sealed.checked && hasPassphrase.checked) passwordMode.value = 'random';
  else if (passwordMode.value !== 'none') hasPassphrase.checked = true;
});
hasPassphrase.addEventListener('input', () => {
  showSeal();
  if (hasPassphrase.checked) passphrase.focus();
});
