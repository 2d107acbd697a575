import { byId, createElement } from '../../../../browser/page.js';
import { dashboardTexts as texts } from '../../texts.ts';
import { mergeSmallParts } from '../../view.ts';
import { moneyText, numberText, percentText } from './formats.js';

const mostParts = 8;

/** @param {string} name @param {string} value @param {number} share @param {number} length of the bar, from 0 to 1 */
const listItem = (name, value, share, length) => {
  const item = document.createElement('li');
  const line = createElement('div', 'line');
  line.append(
    createElement('span', 'name', name),
    createElement('span', 'value', `${value} · ${percentText(share)}`),
  );
  const bar = createElement('div', 'bar');
  bar.style.width = `${100 * length}%`;
  item.append(line, bar);
  return item;
};

/**
 * Shows the parts of a whole as bars with text.
 * @param {{ by: string, slices: { name: string, value: number }[] }} data
 */
export const showParts = ({ by, slices }) => {
  const isMoney = by === 'category';
  const text = isMoney ? moneyText : numberText;
  const nameOf = (/** @type {string} */ name) =>
    isMoney ? name : (texts.contents[/** @type {keyof typeof texts.contents} */ (name)] ?? name);
  const { parts, others } = mergeSmallParts(slices, mostParts);
  if (!parts.some(({ value }) => value > 0)) return isMoney ? texts.noCategories : texts.noContents;
  const longest = Math.max(others.share, ...parts.map(({ share }) => share));
  const items = parts.map(({ name, value, share }) =>
    listItem(nameOf(name), text(value), share, share / longest),
  );
  if (others.count > 0) {
    const name = texts.others(numberText(others.count));
    items.push(listItem(name, text(others.value), others.share, others.share / longest));
  }
  byId('part-list').replaceChildren(...items);
  return undefined;
};
