import { byId, setText } from '../../../../browser/page.js';
import { dashboardTexts as texts } from '../../texts.ts';
import { comparedMonths } from '../../view.ts';
import { changeText, exactPercentText, moneyText, numberText, pointsText } from './formats.js';

const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/**
 * @param {string} id
 * @param {number | null} value null without a previous value
 * @param {(value: number) => string} toText
 */
const sayChange = (id, value, toText) => {
  setText(`${id}-growth`, value === null ? texts.notCompared : toText(value));
  const change = value ?? 0;
  byId(`${id}-growth`).dataset.change = change > 0 ? 'up' : change < 0 ? 'down' : 'none';
};

/** @param {any} stats of the whole service */
export const showNumbers = (stats) => {
  setText('users', numberText(stats.totalUsers));
  setText('users-about', texts.active(numberText(stats.activeUsers)));
  sayChange('users', stats.userGrowth, (growth) => texts.newUsers(changeText(growth)));
  setText('revenue', moneyText(stats.totalRevenue));
  setText('revenue-about', texts.allTime);
  sayChange('revenue', stats.revenueGrowth, changeText);
  setText('orders', numberText(stats.totalOrders));
  setText('orders-about', texts.thisMonth(numberText(stats.recentOrders)));
  sayChange('orders', stats.orderGrowth, changeText);
  setText('conversion', exactPercentText(stats.conversionRate / 100));
  setText('conversion-about', texts.conversionAbout);
  sayChange('conversion', stats.rateGrowth, (growth) => texts.points(pointsText(growth)));
  const [last, before] = comparedMonths(new Date()).map((day) => month.format(day));
  setText('compared', texts.compared(/** @type {string} */ (last), /** @type {string} */ (before)));
  for (const name of ['documents', 'files', 'shares', 'messages']) {
    setText(name, numberText(stats[name]));
  }
  setText('pending-tasks', numberText(stats.pendingTasks));
  return undefined;
};
