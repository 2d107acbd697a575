import { byId, createElement } from '../../../../browser/page.js';

/**
 * What a chart shows: a row for each day or month, and a column for each value of it. A column without a colour is in the
 * table only.
 * @typedef {object} Column
 * @property {string} label
 * @property {number[]} values
 * @property {(value: number) => string} text
 * @property {string} [color] the name of a property in CSS
 * @property {'line' | 'bars'} [kind]
 * @property {number[]} [dash]
 *
 * @typedef {object} Data
 * @property {string} title
 * @property {string} rowsAre what the rows are
 * @property {string[]} rows
 * @property {string[]} labels of the rows, as short as they stand below the chart
 * @property {Column[]} columns
 * @property {(value: number) => string} format of what stands at the axis
 * @property {boolean} isWhole
 */

/** The part that draws is large, and is loaded by those only who see something drawn. @type {Promise<any> | undefined} */
let loading;
/** A browser may remember that a module could not be loaded: the next try is for another address of it. */
let tries = 0;
const loadCharts = () => {
  loading ??= import(`${byId('main').dataset.charts}#${tries}`).catch((failure) => {
    loading = undefined;
    tries += 1;
    throw failure;
  });
  return loading;
};

/** @param {Data} data */
const getTable = ({ title, rowsAre, rows, columns }) => {
  const table = document.createElement('table');
  table.append(createElement('caption', 'visually-hidden', title));
  const cell = (
    /** @type {string} */ tag,
    /** @type {string} */ text,
    /** @type {string} */ scope,
  ) => {
    const made = createElement(tag, '', text);
    if (scope) made.setAttribute('scope', scope);
    return made;
  };
  const head = table.createTHead().insertRow();
  head.append(
    ...[rowsAre, ...columns.map(({ label }) => label)].map((text) => cell('th', text, 'col')),
  );
  const body = table.createTBody();
  for (const [at, row] of rows.entries()) {
    body
      .insertRow()
      .append(
        cell('th', row, 'row'),
        ...columns.map(({ values, text }) => cell('td', text(values[at] ?? 0), '')),
      );
  }
  return table;
};

/** Names the colours, with the values of one row. @param {string} id @param {Data} data @param {number} at */
const sayKey = (id, { rows, columns }, at) => {
  const entries = columns.map(({ label, values, text, color, kind, dash }) => {
    const entry = createElement('span', 'entry');
    const mark = createElement('span', `mark ${kind ?? 'absent'}`);
    mark.style.color = `var(${color})`;
    if (dash) mark.style.borderTopStyle = /** @type {number} */ (dash[0]) > 3 ? 'dashed' : 'dotted';
    entry.append(
      ...(color ? [mark] : []),
      `${label}: `,
      createElement('strong', '', text(values[at] ?? 0)),
    );
    return entry;
  });
  byId(`${id}-key`).replaceChildren(createElement('span', 'entry', rows[at]), ...entries);
};

/** @type {Map<string, () => void>} */
const drawn = new Map();

/**
 * Shows data as a chart and as a table; where the chart can't be drawn the table is open.
 * @param {string} id
 * @param {Data} data
 */
export const showChart = async (id, data) => {
  const place = byId(`${id}-plot`);
  const sayMissing = (/** @type {boolean} */ isMissing) => {
    place.hidden = isMissing;
    byId(`${id}-key`).hidden = isMissing;
    byId(`${id}-missing`).hidden = !isMissing;
  };
  byId(`${id}-rows`).replaceChildren(getTable(data));
  const last = data.rows.length - 1;
  sayKey(id, data, last);
  try {
    const { drawChart } = await loadCharts();
    drawn.get(id)?.();
    sayMissing(false);
    const remove = drawChart(place, {
      labels: data.labels,
      series: data.columns.filter(({ color }) => color),
      format: data.format,
      isWhole: data.isWhole,
      onPoint: (/** @type {number | null} */ at) => sayKey(id, data, at ?? last),
    });
    drawn.set(id, remove);
  } catch {
    sayMissing(true);
    place.closest('section').querySelector('details').open = true;
  }
};
