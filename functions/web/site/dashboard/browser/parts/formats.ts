import { formatMoney } from '../../../../browser/data/money.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';

const language = dateLanguage.read();
/** The page names the currency of the service. */
const currency = document.getElementById('dashboard')?.dataset['currency'] ?? 'USD';

const toText = (options?: Intl.NumberFormatOptions): ((value: number) => string) => {
  const format = new Intl.NumberFormat(language, options);
  return (value) => format.format(value);
};

const change: Intl.NumberFormatOptions = { signDisplay: 'exceptZero', maximumFractionDigits: 1 };
const money: Intl.NumberFormatOptions = { style: 'currency', currency };

export const numberText = toText();
export const compactText = toText({ notation: 'compact' });
/** Formats an amount in major units. */
export const moneyText = (amount: number): string => formatMoney(amount, currency);
export const compactMoneyText = toText({
  ...money,
  notation: 'compact',
  maximumFractionDigits: 1,
});
/** Formats a part; 1 is 100 percent. */
export const percentText = toText({ style: 'percent', maximumFractionDigits: 1 });
/** The same for small parts. */
export const exactPercentText = toText({ style: 'percent', maximumFractionDigits: 2 });
/** Formats a change in percentage points, with its sign. */
export const pointsText = toText({ ...change, maximumFractionDigits: 2 });

const changeOfPercent = toText({ ...change, style: 'percent' });
/** Formats a change in percent, with its sign. */
export const changeText = (percent: number): string => changeOfPercent(percent / 100);

const toDate = (options: Intl.DateTimeFormatOptions): ((iso: string) => string) => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return (iso) => format.format(new Date(iso));
};

/** Formats a day or a month in UTC. */
export const dayText = toDate({ dateStyle: 'medium' });
export const shortDayText = toDate({ month: 'short', day: 'numeric' });
export const monthText = toDate({ month: 'short', year: 'numeric' });
export const monthNameText = toDate({ month: 'long' });
