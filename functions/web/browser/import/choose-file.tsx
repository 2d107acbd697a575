import { useEffect, useRef } from 'preact/hooks';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Notice } from '../components/notice.tsx';
import { formatNumber } from '../data/format.ts';
import { maxBytes, maxLines } from './chosen-file.ts';
import { fileTexts as texts } from './texts.ts';

interface ChooseFileProps<Field extends string> {
  readonly failure: string | undefined;
  readonly onChoose: (file: File) => unknown;
  readonly fields: readonly Field[];
  /** Says what each column may have. */
  readonly describe: (field: Field) => string;
  readonly hint?: string;
}

/** Chooses a CSV file, and says what its columns are. */
export const ChooseFile = <Field extends string>(props: ChooseFileProps<Field>) => {
  const { failure, onChoose, fields, describe, hint } = props;
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
            if (chosen) onChoose(chosen);
            // Allows choosing the same file again, once it is repaired.
            currentTarget.value = '';
          }}
        />
      </div>
      {failure !== undefined && <Notice kind="bad">{failure}</Notice>}
      <section>
        <h3>{texts.columnsAbout}</h3>
        <dl class="fields">
          {fields.map((field) => (
            <div key={field}>
              <dt class="mono">{field}</dt>
              <dd class="sub">{describe(field)}</dd>
            </div>
          ))}
        </dl>
        {hint !== undefined && <p class="hint">{hint}</p>}
      </section>
    </>
  );
};

/** Takes a file that is dropped anywhere on the page: outside the place for it, it would be opened instead of the page. */
export const useDrops = (onDrop: (file: File) => unknown): void => {
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const hover = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const [dropped] = event.dataTransfer?.files ?? [];
      if (!dropped) return;
      event.preventDefault();
      latest.current(dropped);
    };
    document.addEventListener('dragover', hover);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', hover);
      document.removeEventListener('drop', drop);
    };
  }, []);
};
