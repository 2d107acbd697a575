import { findLineProblem } from '../../../../shared/text/text-rules.ts';
import type { ImportField } from '../../../api/sales/import-file.ts';
import { AmountError, toMinor } from '../../../api/sales/money.ts';
import { maxExternalIdLength, textFields } from '../../../api/sales/text-fields.ts';
import { parseTime } from './sale-time.ts';
import { salesTexts } from './texts.ts';

const { problems: texts } = salesTexts;

/** The longest texts that the API takes. */
export const maxLengths = { ...textFields, externalId: maxExternalIdLength } as const;

/** Spaces of any width, and apostrophes, between groups of three digits. */
const grouped = /^\d{1,3}(?:([\p{Zs}'’])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/u;

/**
 * Writes an amount with a decimal point: `1.234,56`, `1 234,56` and `12,5` become `1234.56`, `1234.56` and `12.5`. Leaves text
 * alone that may be read in two ways, such as `1,234`, which no amount matches.
 */
export const toPlainAmount = (text: string): string => {
  const amount = text.trim();
  if (grouped.test(amount)) return amount.replace(/[\p{Zs}'’]/gu, '').replace(',', '.');
  if (/^\d+,\d{1,2}$/.test(amount)) return amount.replace(',', '.');
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(amount)) return amount.replaceAll('.', '').replace(',', '.');
  return /^\d{1,3}(,\d{3})+\.\d+$/.test(amount) ? amount.replaceAll(',', '') : amount;
};

const findAmountProblem = (text: string, currency: string | undefined): string | undefined => {
  if (currency === undefined) return undefined;
  try {
    toMinor(toPlainAmount(text), currency);
    return undefined;
  } catch (error) {
    if (error instanceof AmountError) return error.message;
    throw error;
  }
};

const findTimeProblem = (text: string, now: number): string | undefined => {
  const time = parseTime(text);
  if (time === undefined) return texts.notTime;
  // The API allows a day for time zones and clocks.
  return Date.parse(time) > now + 86_400_000 ? texts.future : undefined;
};

/**
 * Returns what is wrong with the text of a field, to follow its name; `undefined` if the API takes it. Amounts of an unknown
 * currency are left to the API.
 */
export const findProblem = (
  field: ImportField,
  value: string,
  currency: string | undefined,
  now = Date.now(),
): string | undefined => {
  const text = value.trim();
  if (text === '') return field === 'amount' ? texts.required : undefined;
  if (field === 'amount' || field === 'cost') return findAmountProblem(text, currency);
  if (field === 'soldAt') return findTimeProblem(text, now);
  if (field !== 'currency') return findLineProblem(text, maxLengths[field]);
  return currency === undefined || text.toUpperCase() === currency
    ? undefined
    : texts.currency(currency);
};
