import { dateLanguage } from '../shell/preferences.ts';

const formats = new Map<string, Intl.NumberFormat>();

const createFormat = (currency: string): Intl.NumberFormat => {
  const format = new Intl.NumberFormat(dateLanguage.read(), { style: 'currency', currency });
  formats.set(currency, format);
  return format;
};

/** Formats an amount in major units of a currency. */
export const formatMoney = (amount: number, currency: string): string =>
  (formats.get(currency) ?? createFormat(currency)).format(amount);
