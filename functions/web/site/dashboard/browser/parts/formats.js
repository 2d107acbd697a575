import { byId } from '../../../../browser/page.js';

const { currency } = byId('main').dataset;

const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact' });
const money = new Intl.NumberFormat('en', { style: 'currency', currency });
const compactMoney = new Intl.NumberFormat('en', {
  style: 'currency',
  currency,
  notation: 'compact',
  maximumFractionDigits: 1,
});
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const exactPercent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });
/** @type {Intl.NumberFormatOptions} */
const change = { signDisplay: 'exceptZero', maximumFractionDigits: 1 };
const changeOfPercent = new Intl.NumberFormat('en', { ...change, style: 'percent' });
const changeOfPoints = new Intl.NumberFormat('en', { ...change, maximumFractionDigits: 2 });

/** @param {number} value */
export const numberText = (value) => number.format(value);
/** @param {number} value */
export const compactText = (value) => compact.format(value);
/** @param {number} value in major units */
export const moneyText = (value) => money.format(value);
/** @param {number} value in major units */
export const compactMoneyText = (value) => compactMoney.format(value);
/** @param {number} value 1 is 100 percent */
export const percentText = (value) => percent.format(value);
/** @param {number} value 1 is 100 percent; for small values */
export const exactPercentText = (value) => exactPercent.format(value);
/** @param {number} value in percent, with its sign */
export const changeText = (value) => changeOfPercent.format(value / 100);
/** @param {number} value in percentage points, with its sign */
export const pointsText = (value) => changeOfPoints.format(value);
