import { byId, say } from '../../../../browser/page.js';
import { dashboardTexts as texts } from '../../texts.ts';
import { comparedMonths } from '../../view.ts';
import { changeText, exactPercentText, moneyText, numberText, pointsText } from './formats.js';

const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/**
 * @param {string} id
 * @param {number | null} value null where there was nothing to compare with
 * @param {(value: number) => string} toText
 */
const sayChange = (id, value, toText) => {
  say(`${id}-growth`, value === null ? texts.notCompared : toText(value));
  const change = value ?? 0;
  byId(`${id}-growth`).dataset.change = change > 0 ? 'up' : change < 0 ? 'down' : 'none';
};

/** @param {any} stats the numbers of the whole service */
export const showNumbers = (stats) => {
  say('users', numberText(stats.totalUsers));
  say('users-about', texts.active(numberText(stats.activeUsers)));
  sayChange('users', stats.userGrowth, (growth) => texts.newUsers(changeText(growth)));
  say('revenue', moneyText(stats.totalRevenue));
  say('revenue-about', texts.allTime);
  sayChange('revenue', stats.revenueGrowth, changeText);
  say('orders', numberText(stats.totalOrders));
  say('orders-about', texts.thisMonth(numberText(stats.recentOrders)));
  sayChange('orders', stats.orderGrowth, changeText);
  say('conversion', exactPercentText(stats.conversionRate / 100));
  say('conversion-about', texts.conversionAbout);
  sayChange('conversion', stats.rateGrowth, (growth) => texts.points(pointsText(growth)));
  const [last, before] = comparedMonths(new Date()).map((day) => month.format(day));
  say('compared', texts.compared(/** @type {string} */ (last), /** @type {string} */ (before)));
  for (const name of ['documents', 'files', 'shares', 'messages']) {
    say(name, numberText(stats[name]));
  }
  say('pending-tasks', numberText(stats.pendingTasks));
  return undefined;
};
