import { validationError } from '../service-error.ts';

/** A number as `0.digits × 10^exponent`. Digits have no leading or trailing zeros; zero has none. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Integers in normal form that JavaScript adds and compares exactly. */
const SMALL = /^(?:0|-?[1-9]\d{0,14})$/;
const MAX_DIGITS = 38;

const assertInRange = ({ digits, exponent }: Decimal): void => {
  if (digits === '') return;
  if (exponent > 126) {
    throw validationError(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (exponent < -129) {
    throw validationError(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  if (digits.length > MAX_DIGITS) {
    throw validationError('Attempting to store more than 38 significant digits in a Number');
  }
};

const toDecimal = (sign: string, all: string, point: number): Decimal => {
  const significant = all.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  const exponent = digits === '' ? 0 : point - (all.length - significant.length);
  const decimal = { isNegative: sign === '-' && digits !== '', digits, exponent };
  assertInRange(decimal);
  return decimal;
};

const parse = (text: string): Decimal => {
  const [, sign = '', whole = '', fraction = '', power = '0'] = PATTERN.exec(text) ?? [];
  if (whole + fraction === '') {
    const shown = text === '' ? '' : `: ${text}`;
    throw validationError(`The parameter cannot be converted to a numeric value${shown}`);
  }
  return toDecimal(sign, whole + fraction, whole.length + Number(power));
};

const format = ({ isNegative, digits, exponent }: Decimal): string => {
  if (digits === '') return '0';
  const sign = isNegative ? '-' : '';
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return sign + digits.padEnd(exponent, '0');
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
};

/**
 * Returns a number in DynamoDB's normal form.
 * @throws ServiceError for text that is no number or exceeds 38 digits or the range
 */
export const normalizeNumber = (text: string): string =>
  SMALL.test(text) ? text : format(parse(text));

const toInteger = ({ isNegative, digits, exponent }: Decimal, scale: number): bigint => {
  const value = BigInt(digits || '0') * 10n ** BigInt(scale + exponent - digits.length);
  return isNegative ? -value : value;
};

/** Adds or subtracts numbers in normal form, exactly. */
export const addNumbers = (left: string, right: string, sign: 1 | -1 = 1): string => {
  if (SMALL.test(left) && SMALL.test(right)) {
    return normalizeNumber(String(Number(left) + sign * Number(right)));
  }
  const [a, b] = [parse(left), parse(right)];
  const scale = Math.max(a.digits.length - a.exponent, b.digits.length - b.exponent, 0);
  const sum = toInteger(a, scale) + BigInt(sign) * toInteger(b, scale);
  const digits = String(sum < 0n ? -sum : sum);
  return format(toDecimal(sum < 0n ? '-' : '', digits, digits.length - scale));
};

const complement = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String(9 - Number(digit)));

/** Encodes a number in normal form as text whose order is the order of the numbers. */
const encodeNumber = (text: string): string => {
  const { isNegative, digits, exponent } = parse(text);
  if (digits === '') return '1';
  const power = String(exponent + 200).padStart(3, '0');
  return isNegative ? `0${complement(power + digits)}~` : `2${power}${digits}`;
};

/** Compares numbers in normal form. */
export const compareNumbers = (left: string, right: string): number => {
  if (SMALL.test(left) && SMALL.test(right)) return Number(left) - Number(right);
  const [a, b] = [encodeNumber(left), encodeNumber(right)];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Returns the number of significant digits of a number in normal form. */
export const countDigits = (text: string): number =>
  text.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
