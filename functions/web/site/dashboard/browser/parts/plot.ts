/*! uPlot, (c) Leon Sorokin, MIT licence, https://github.com/leeoniya/uPlot */

import uPlot from 'uplot';
import { onColorsChange } from '../../../../browser/shell/colors.ts';

/** Values of a chart by label. `color` is the name of a CSS property. */
export interface Series {
  readonly color: string;
  readonly values: readonly number[];
  readonly kind: 'line' | 'bars';
  readonly dash?: readonly number[];
}

/** What a chart shows. */
export interface Plot {
  /** Of the x axis, from left to right. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Formats values of the y axis. */
  format(value: number): string;
  /** Whether all values are integers. */
  readonly isWhole: boolean;
  /** Reports the position of the pointer; `null` if it has left. */
  onPoint(at: number | null): void;
}

const height = 220;
/** The width of a label, including its margin. CSS pixels. */
const labelWidth = 68;
/** The maximum number of values with markers; longer series are drawn as lines only. */
const mostPoints = 31;

const font = '12px system-ui, sans-serif';
const wholeSteps = [1, 2, 5].flatMap((first) =>
  Array.from({ length: 12 }, (_, zeros) => first * 10 ** zeros),
);
wholeSteps.sort((a, b) => a - b);

/**
 * Returns the current color of a CSS property such as `light-dark(#fff, #000)`, which only a property of an element
 * resolves.
 */
const resolveColor = (place: HTMLElement, name: string): string => {
  place.style.color = `var(${name})`;
  return getComputedStyle(place).color;
};

/** Thins out the labels to the available width, and keeps the last. */
const chooseLabels = (plot: uPlot, count: number): number[] => {
  const most = Math.max(2, Math.floor((plot.width - labelWidth) / labelWidth));
  const step = Math.ceil(count / most);
  const places = Array.from({ length: Math.ceil(count / step) }, (_, at) => count - 1 - at * step);
  return places.reverse();
};

/** Returns the width of the longest value. */
const measureAxis: uPlot.Axis.Size = (plot, values, axis, cycle) => {
  // uPlot repeats the layout until sizes are stable, so keep the first size.
  if (cycle > 1) return (plot.axes[axis] as unknown as { _size: number })._size;
  const longest = (values ?? []).reduce((a, b) => (b && b.length > a.length ? b : a), '');
  plot.ctx.font = font;
  return Math.ceil(plot.ctx.measureText(longest).width) + 14;
};

const toSeries = (place: HTMLElement, { color, values, kind, dash }: Series): uPlot.Series => ({
  stroke: () => resolveColor(place, color),
  width: kind === 'bars' ? 0 : 2,
  ...(kind === 'bars' && {
    ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.6, 48] }) }),
    fill: () => resolveColor(place, color),
  }),
  ...(dash && { dash: [...dash] }),
  points: {
    show: kind === 'line' && values.length <= mostPoints,
    size: 5,
    fill: () => resolveColor(place, color),
  },
});

/** Draws a chart, and resizes it with its place. Returns how to remove it. */
export const drawPlot = (
  place: HTMLElement,
  { labels, series, format, isWhole, onPoint }: Plot,
): (() => void) => {
  const axis: uPlot.Axis = {
    font,
    stroke: () => resolveColor(place, '--ink-3'),
    grid: { stroke: () => resolveColor(place, '--line'), width: 1 },
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
          splits: (self) => chooseLabels(self, labels.length),
          values: (_, places) => places.map((at) => labels[at] ?? ''),
        },
        {
          ...axis,
          size: measureAxis,
          values: (_, values) => values.map(format),
          ...(isWhole && { incrs: wholeSteps }),
        },
      ],
      series: [{}, ...series.map((one) => toSeries(place, one))],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [labels.map((_, at) => at), ...series.map(({ values }) => [...values])],
    place,
  );
  const resizes = new ResizeObserver(() => {
    if (place.clientWidth > 0 && place.clientWidth !== plot.width) {
      plot.setSize({ width: place.clientWidth, height });
    }
  });
  resizes.observe(place);
  const stopFollowing = onColorsChange(() => plot.redraw());
  return () => {
    resizes.disconnect();
    stopFollowing();
    plot.destroy();
  };
};
