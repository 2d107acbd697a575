/*! uPlot, (c) Leon Sorokin, MIT licence, https://github.com/leeoniya/uPlot */
import uPlot from 'uplot';

/**
 * @typedef {{ color: string, values: number[], kind: 'line' | 'bars', dash?: number[] }} Series `color` is the name of a
 * CSS property
 * @typedef {object} Chart
 * @property {string[]} labels of the x axis, from left to right
 * @property {Series[]} series
 * @property {(value: number) => string} format of the y axis
 * @property {boolean} isWhole whether all values are integers
 * @property {(at: number | null) => void} onPoint reports the position of the pointer
 */

const height = 220;
/** The width of a label, including its margin. CSS pixels. */
const labelWidth = 68;
/** The maximum number of values with markers; longer series are drawn as lines only. */
const mostPoints = 31;

/** @param {string} name */
const property = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();

const font = '12px system-ui, sans-serif';
const wholeSteps = [1, 2, 5].flatMap((first) =>
  Array.from({ length: 12 }, (_, zeros) => first * 10 ** zeros),
);
wholeSteps.sort((a, b) => a - b);

/** Thins out the labels to the available width, and keeps the last. @param {uPlot} plot @param {number} count */
const shownPlaces = (plot, count) => {
  const most = Math.max(2, Math.floor((plot.width - labelWidth) / labelWidth));
  const step = Math.ceil(count / most);
  return Array.from(
    { length: Math.ceil(count / step) },
    (_, at) => count - 1 - at * step,
  ).reverse();
};

/** Returns the width of the longest value. @type {import('uplot').Axis.Size} */
const widthOfAxis = (plot, values, axis, cycle) => {
  // uPlot repeats the layout until sizes are stable, so keep the first size.
  if (cycle > 1) return /** @type {any} */ (plot.axes[axis])._size;
  const longest = (values ?? []).reduce((a, b) => (b && b.length > a.length ? b : a), '');
  plot.ctx.font = font;
  return Math.ceil(plot.ctx.measureText(longest).width) + 14;
};

/** @param {Series} series */
const toSeries = ({ color, values, kind, dash }) => ({
  stroke: () => property(color),
  width: 2,
  ...(kind === 'bars' && {
    paths: /** @type {any} */ (uPlot.paths.bars)({ size: [0.6, 48] }),
    fill: () => property(color),
    width: 0,
  }),
  ...(dash && { dash }),
  points: {
    show: kind === 'line' && values.length <= mostPoints,
    size: 5,
    fill: () => property(color),
  },
});

/**
 * Draws a chart in place of the previous one, and resizes it with its container.
 * @param {HTMLElement} place
 * @param {Chart} chart
 * @returns {() => void} removes the chart
 */
export const drawChart = (place, { labels, series, format, isWhole, onPoint }) => {
  const axis = {
    font,
    stroke: () => property('--quiet'),
    grid: { stroke: () => property('--line'), width: 1 },
    ticks: { show: false },
  };
  const plot = new uPlot(
    {
      width: Math.max(place.clientWidth, 200),
      height,
      padding: [8, 27, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false, setScale: false } },
      scales: {
        x: { time: false, range: [-0.5, labels.length - 0.5] },
        y: {
          range: (_, low, high) => [Math.min(0, low * 1.1), Math.max(high * 1.1, isWhole ? 1 : 0)],
        },
      },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          splits: (self) => shownPlaces(self, labels.length),
          values: (_, places) => places.map((at) => labels[at] ?? ''),
        },
        {
          ...axis,
          size: widthOfAxis,
          values: (_, values) => values.map(format),
          ...(isWhole && { incrs: wholeSteps }),
        },
      ],
      series: [{}, ...series.map(toSeries)],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [labels.map((_, at) => at), ...series.map(({ values }) => values)],
    place,
  );
  const resizes = new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== plot.width) {
      plot.setSize({ width: place.clientWidth, height });
    }
  });
  resizes.observe(place);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => plot.redraw();
  dark.addEventListener('change', redraw);
  return () => {
    resizes.disconnect();
    dark.removeEventListener('change', redraw);
    plot.destroy();
  };
};
