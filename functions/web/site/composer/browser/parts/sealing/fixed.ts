import { controls } from '../elements.ts';
import { fix, reasons } from './switches.ts';

const { sealed, hasPassphrase } = controls;

/** Shows that a stored share stays sealed, or can’t be sealed any more. */
export const fixSeal = (isStoredSealed: boolean): void => {
  fix(sealed, isStoredSealed ? reasons['stays'] : reasons['onlyNew']);
  if (isStoredSealed) fix(hasPassphrase, reasons['passphraseStays']);
};
