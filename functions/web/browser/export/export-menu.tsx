import { Menu } from '../components/menu.tsx';
import type { ExportedPath } from './download.ts';
import { exportTexts as texts } from './texts.ts';

interface ExportMenuProps {
  readonly path: ExportedPath;
  /** Returns the filters of what is listed now, as the API takes them. */
  readonly getQuery: () => Readonly<Record<string, string | undefined>>;
  /** How many rows there are, if that is known. */
  readonly total?: number | undefined;
}

/** Takes out what is listed as a file. */
export const ExportMenu = ({ path, getQuery, total }: ExportMenuProps) => {
  const run = async (format: 'csv' | 'ndjson') => {
    const { download } = await import('./download.ts');
    await download(path, { ...getQuery(), format }, total);
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
      ]}
    />
  );
};
