/** The largest amount, in minor units (cents). Totals of nine thousand of them stay exact in JSON. */
export const maxMinor = 1_000_000_000_000;

/**
 * Returns the number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD.
 * https://tc39.es/ecma402/#sec-currencydigits
 */
export const getDecimals = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2;

/** Formats an amount in minor units as a decimal number, such as `12.34`. */
const toDecimal = (minor: bigint, decimals: number): string => {
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(-decimals)];
  return `${minor < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${fraction}`}`;
};

/** Converts an amount in minor units to the number in major units, which JSON writes with the same digits. */
export const toMajor = (minor: number | bigint, currency: string): number =>
  Number(toDecimal(BigInt(minor), getDecimals(currency)));

/** An amount is invalid. The message completes "<field> …". */
export class AmountError extends Error {
  override readonly name = 'AmountError';
}

/**
 * Parses an amount into minor units, from its decimal digits, without floating-point arithmetic.
 * @throws AmountError if it is no plain decimal number, negative, too large, or has more decimals than the currency
 */
export const toMinor = (amount: number | string, currency: string): number => {
  // JSON numbers keep the digits that were sent, such as 0.30000000000000004.
  const text = String(amount).trim();
  const decimals = getDecimals(currency);
  if (/^-\d/.test(text)) throw new AmountError('must not be negative');
  const [, whole, fraction = ''] = text.match(/^(\d{1,40})(?:\.(\d{1,40}))?$/) ?? [];
  if (whole === undefined && !/^[\d.]+e\+\d+$/.test(text)) {
    throw new AmountError(`must be a decimal number such as ${toDecimal(1_234n, decimals)}`);
  }
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) {
    throw new AmountError(
      decimals === 0
        ? `must be an integer, because ${currency} has no decimals`
        : `must have at most ${decimals} decimals for ${currency}`,
    );
  }
  const minor = BigInt(`${whole ?? '9'.repeat(40)}${significant.padEnd(decimals, '0')}`);
  if (minor > BigInt(maxMinor)) {
    throw new AmountError(`must be at most ${toDecimal(BigInt(maxMinor), decimals)}`);
  }
  return Number(minor);
};
