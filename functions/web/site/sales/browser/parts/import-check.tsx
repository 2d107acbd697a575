import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ImportField, importFields } from '../../../../../api/sales/import-file.ts';
import { toMajor, toMinor } from '../../../../../api/sales/money.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Labeled } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { formatMoney } from '../../../../browser/data/money.ts';
import { type SaleLine, toBody } from '../../import/lines.ts';
import { salesTexts, importTexts as texts } from '../../texts.ts';
import { clear, file, lines, mapping, ready, unmapped, wrong } from './chosen-file.ts';
import { start } from './importing.ts';
import { formatSold } from './sold-at.ts';
import { currency } from './state.ts';

const previewed = 5;
const maxShownErrors = 100;

const Columns = () => {
  const columns = file.value?.columns ?? [];
  return (
    <section>
      <h3>{texts.mapping}</h3>
      <div class="mapping">
        {importFields.map((field) => (
          <Labeled key={field} label={salesTexts.fields[field]}>
            {(connections) => (
              <select
                class="in"
                {...connections}
                value={String(mapping.value[field] ?? '')}
                onChange={({ currentTarget: { value } }) => {
                  const { [field]: _, ...others } = mapping.value;
                  mapping.value = value === '' ? others : { ...others, [field]: Number(value) };
                }}
              >
                <option value="">{texts.notInFile}</option>
                {columns.map((name, at) => (
                  <option key={at} value={String(at)}>
                    {name || texts.column(at + 1)}
                  </option>
                ))}
              </select>
            )}
          </Labeled>
        ))}
      </div>
    </section>
  );
};

/** Returns what would be recorded, or the text as it is if it is wrong. */
const format = ({ row, problems }: SaleLine, field: ImportField): string => {
  const text = row[field] ?? '';
  if (text === '' || problems.length > 0) return text;
  const body = toBody(row);
  if (field === 'soldAt') {
    const { soldAt } = body;
    return formatSold({ soldAt, day: soldAt.includes('T') ? null : soldAt });
  }
  return field === 'amount' || field === 'cost' ? formatMoney(Number(body[field]), currency) : text;
};

const Preview = () => {
  const shown = lines.value.slice(0, previewed);
  const fields = importFields.filter((field) => mapping.value[field] !== undefined);
  return (
    <section>
      <h3>{texts.preview(shown.length)}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <div class="scroll" tabIndex={0}>
        <table class="table keep">
          <thead>
            <tr>
              <th scope="col">{texts.line}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {salesTexts.fields[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <tr key={line.line}>
                <td class="num mute">{formatNumber(line.line)}</td>
                {fields.map((field) => (
                  <td
                    key={field}
                    class={line.problems.some((one) => one.field === field) ? 'wrong' : undefined}
                    dir="auto"
                  >
                    {format(line, field)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

const Errors = () => {
  const all = wrong.value.flatMap(({ line, row, problems }) =>
    problems.map(({ field, message }) => ({ line, field, message, text: field && row[field] })),
  );
  if (all.length === 0) return null;
  return (
    <section>
      <h3>{texts.errors}</h3>
      <table class="table keep problems">
        <thead>
          <tr>
            <th scope="col">{texts.line}</th>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.fix}</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, maxShownErrors).map(({ line, field, message, text }) => (
            <tr key={`${line} ${field}`}>
              <td class="num">{formatNumber(line)}</td>
              <td>{field && salesTexts.fields[field]}</td>
              <td>
                {message}
                {text !== undefined && <span class="tiny mute blk">{texts.value(text)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > maxShownErrors && (
        <p class="hint">{texts.moreErrors(formatNumber(all.length - maxShownErrors))}</p>
      )}
    </section>
  );
};

const Summary = () => {
  const count = ready.value.length;
  const minor = ready.value.reduce(
    (sum, { row }) => sum + toMinor(toBody(row).amount, currency),
    0,
  );
  const errors = wrong.value.length;
  return (
    <div role="status">
      {count > 0 ? (
        <p>
          {texts.ready(
            [count, formatNumber(count)],
            formatMoney(toMajor(minor, currency), currency),
          )}
        </p>
      ) : (
        <p>{texts.nothingReady}</p>
      )}
      {errors > 0 && <p class="err">{texts.leftOut([errors, formatNumber(errors)])}</p>}
    </div>
  );
};

/** Shows what a file has before anything is sent. */
export const Check = () => {
  const name = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => name.current?.focus(), []);
  const count = ready.value.length;
  const fields = unmapped.value.map((field) => salesTexts.fields[field]);
  return (
    <>
      <p ref={name} tabIndex={-1} class="chosen sub cut" dir="auto">
        {file.value?.name}
      </p>
      {file.value?.encoding && <p class="sub">{texts.readAs(file.value.encoding)}</p>}
      <Columns />
      {fields.length > 0 ? (
        <Notice kind="bad">{texts.unmapped(formatList(fields))}</Notice>
      ) : (
        <>
          <Preview />
          <Errors />
          <Summary />
        </>
      )}
      <p class="row mt">
        {count > 0 && (
          <Button kind="primary" onClick={() => start(ready.value)}>
            {texts.start([count, formatNumber(count)])}
          </Button>
        )}
        <Button onClick={clear}>{texts.chooseOther}</Button>
      </p>
    </>
  );
};
