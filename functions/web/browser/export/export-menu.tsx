import { maxRows } from '../../../../shared/exports/max-rows.ts';
import { Menu } from '../components/menu.tsx';
import { formatNumber } from '../data/format.ts';
import type { ExportedPath, ExportFormat, ListQuery } from './address.ts';
import { exportTexts as texts } from './texts.ts';

interface ExportMenuProps {
  readonly path: ExportedPath;
  /** Returns the filters of what is listed now, as the API takes them. */
  readonly getQuery: () => ListQuery;
  /** How many rows there are, if that is known. */
  readonly total?: number | undefined;
}

/** Takes out what is listed as a file: at once, or a longer list by a file that the service prepares. */
export const ExportMenu = ({ path, getQuery, total }: ExportMenuProps) => {
  const toList = () => ({ path, query: getQuery(), total });
  const isLong = total !== undefined && total > maxRows;
  const ask = async (format: ExportFormat) =>
    (await import('./whole-list.tsx')).askForWholeList(toList(), format);
  const run = async (format: ExportFormat) => {
    if (isLong) return ask(format);
    return (await import('./download.ts')).download(toList(), format);
  };
  return (
    <Menu
      label={texts.export}
      text={texts.export}
      icon="load"
      class="end"
      items={[
        { label: texts.csv, icon: 'load', run: () => run('csv') },
        { label: texts.ndjson, icon: 'code', run: () => run('ndjson') },
        ...(total === undefined
          ? [
              {
                label: texts.whole(formatNumber(maxRows)),
                icon: 'clock' as const,
                startsGroup: true,
                run: () => ask('csv'),
              },
            ]
          : []),
      ]}
    />
  );
};
