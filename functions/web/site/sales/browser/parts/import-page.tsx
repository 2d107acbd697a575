import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { importFields } from '../../../../../api/sales/import-file.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { maxBytes, maxLines } from '../../import/lines.ts';
import { importTexts as texts } from '../../texts.ts';
import { choose, clear, failure, file } from './chosen-file.ts';
import { Check } from './import-check.tsx';
import { Progress } from './import-progress.tsx';
import { hasStarted, isOver, isRunning } from './importing.ts';
import { currency, url } from './state.ts';

const describe = (field: (typeof importFields)[number]): string =>
  field === 'currency' ? texts.formats.currency(currency) : texts.formats[field];

const Columns = () => (
  <section>
    <h3>{texts.columnsAbout}</h3>
    <dl class="fields">
      {importFields.map((field) => (
        <div key={field}>
          <dt class="mono">{field}</dt>
          <dd class="sub">{describe(field)}</dd>
        </div>
      ))}
    </dl>
    <p class="hint">{texts.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
  </section>
);

const Choose = () => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div class="drop-zone">
        <Icon name="upload" />
        <p>{texts.drop}</p>
        <Button onClick={() => input.current?.click()}>{texts.choose}</Button>
        <p class="hint">{texts.limits(formatBytes(maxBytes), formatNumber(maxLines))}</p>
        <input
          ref={input}
          id="csv"
          type="file"
          hidden
          aria-label={texts.file}
          accept=".csv,.tsv,.txt,text/csv"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen) void choose(chosen);
            // Allows choosing the same file again, once it is repaired.
            currentTarget.value = '';
          }}
        />
      </div>
      {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
      <Columns />
    </>
  );
};

/** A file outside the place for it would be opened instead of the page. */
const acceptDrops = () => {
  const hover = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const [dropped] = event.dataTransfer?.files ?? [];
    if (!dropped) return;
    event.preventDefault();
    if (!isRunning.value) void choose(dropped);
  };
  document.addEventListener('dragover', hover);
  document.addEventListener('drop', drop);
  return () => {
    document.removeEventListener('dragover', hover);
    document.removeEventListener('drop', drop);
  };
};

/** Imports sales from a CSV file: choose it, check it, send it. */
export const ImportPage = () => {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  useEffect(acceptDrops, []);
  const step = hasStarted.value ? <Progress /> : file.value ? <Check /> : <Choose />;
  return (
    <div class="pad import">
      <Button
        kind="ghost"
        size="sm"
        icon="left"
        onClick={() => {
          if (isOver.value) clear();
          url.close({ open: undefined });
        }}
      >
        {texts.back}
      </Button>
      <h2 ref={title} tabIndex={-1}>
        {texts.title}
      </h2>
      {step}
    </div>
  );
};
