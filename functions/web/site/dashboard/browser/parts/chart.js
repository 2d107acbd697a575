import { byId, createElement } from '../../../../browser/page.js';

/**
 * The data of a chart: a row for each day or month, and a column for each value. A column without a color is shown only
 * in the table.
 * @typedef {object} Column
 * @property {string} label
 * @property {number[]} values
 * @property {(value: number) => string} text
 * @property {string} [color] the name of a CSS property
 * @property {'line' | 'bars'} [kind]
 * @property {number[]} [dash]
 *
 * @typedef {object} Data
 * @property {string} title
 * @property {string} rowsAre the heading of the rows
 * @property {string[]} rows
 * @property {string[]} labels short labels of the rows for the x axis
 * @property {Column[]} columns
 * @property {(value: number) => string} format of the y axis
 * @property {boolean} isWhole
 */

/**
 * The large drawing module, loaded only if a chart is shown. @type {Promise<any>
 * undefined}
 */
let loading;
/** Browsers may cache a failed module load, so a retry uses another URL. */
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

/** Shows the legend with the values of one row. @param {string} id @param {Data} data @param {number} at */
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
 * Shows data as a chart and a table. If the chart can't be drawn, the table is open.
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
