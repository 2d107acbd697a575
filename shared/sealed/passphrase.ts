/** The longest passphrase of a sealed share, in UTF-16 units: what the fields of the composer and of its page take. */
export const maxPassphraseLength = 200;
