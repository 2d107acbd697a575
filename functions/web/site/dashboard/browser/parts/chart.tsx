import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { dashboardTexts as texts } from '../../texts.ts';

/** The values of a chart by row. Without a color it is shown only in the table. */
export interface Column {
  readonly label: string;
  readonly values: readonly number[];
  toText(value: number): string;
  /** The name of a CSS property. */
  readonly color?: string;
  readonly kind?: 'line' | 'bars';
  readonly dash?: readonly number[];
}

/** The data of a chart: a row for each day or month, and a column for each value. */
export interface ChartData {
  readonly title: string;
  /** What the rows are. */
  readonly rowHeading: string;
  readonly rows: readonly string[];
  /** Short labels of the rows for the x axis. */
  readonly labels: readonly string[];
  readonly columns: readonly Column[];
  /** Formats values of the y axis. */
  format(value: number): string;
  readonly isWhole: boolean;
  /** What the chart says in a sentence. */
  readonly summary: string;
}

/** Loads the drawing code, which is large. Browsers keep a failed load until the page is reloaded. */
const loadPlot = () => import('./plot.ts');

const Legend = ({ data, at }: { readonly data: ChartData; readonly at: number }) => (
  <p class="key">
    <span>{data.rows[at]}</span>
    {data.columns.map(({ label, values, toText, color, kind, dash }) => (
      <span key={label}>
        {color && (
          <span
            class={`mark ${kind ?? 'line'}${dash ? ' dashed' : ''}`}
            style={{ color: `var(${color})` }}
          />
        )}
        {label}: <b>{toText(values[at] ?? 0)}</b>
      </span>
    ))}
  </p>
);

const Table = ({ data }: { readonly data: ChartData }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it
  <section class="rows" aria-label={texts.tableOf(data.title)} tabIndex={0}>
    <table class="table">
      <caption class="vh">{data.title}</caption>
      <thead>
        <tr>
          <th scope="col">{data.rowHeading}</th>
          {data.columns.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data.rows.map((row, at) => (
          <tr key={row}>
            <th scope="row">{row}</th>
            {data.columns.map(({ label, values, toText }) => (
              <td key={label} class="num">
                {toText(values[at] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** A chart with its legend and table. If it can't be drawn, the table is open. */
export const Chart = ({ id, data }: { readonly id: string; readonly data: ChartData }) => {
  const place = useRef<HTMLDivElement>(null);
  const last = data.rows.length - 1;
  const at = useSignal<number | null>(null);
  const isMissing = useSignal(false);
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isGone = false;
    const draw = async () => {
      const { drawPlot } = await loadPlot();
      if (isGone || !place.current) return;
      isMissing.value = false;
      remove = drawPlot(place.current, {
        labels: data.labels,
        series: data.columns.flatMap(({ color, values, kind = 'line', dash }) =>
          color === undefined ? [] : [{ color, values, kind, ...(dash && { dash }) }],
        ),
        format: data.format,
        isWhole: data.isWhole,
        onPoint: (point) => {
          at.value = point;
        },
      });
    };
    draw().catch(() => {
      isMissing.value = true;
    });
    return () => {
      isGone = true;
      remove?.();
    };
  }, [data, at, isMissing]);
  return (
    <div class="in-card">
      <p class="small sub" id={`${id}-summary`} role="status">
        {data.summary}
      </p>
      <div
        ref={place}
        class="plot"
        id={`${id}-plot`}
        role="img"
        aria-labelledby={`${id}-title ${id}-summary`}
        hidden={isMissing.value}
      />
      {isMissing.value ? (
        <p class="hint" role="status">
          {texts.noChart}
        </p>
      ) : (
        <Legend data={data} at={Math.min(at.value ?? last, last)} />
      )}
      <details class="small" open={isMissing.value}>
        <summary class="sub">{texts.asTable}</summary>
        <Table data={data} />
      </details>
    </div>
  );
};
