import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ImportField, importFields } from '../../../../../api/sales/import-file.ts';
import { toMajor, toMinor } from '../../../../../api/sales/money.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { formatMoney } from '../../../../browser/data/money.ts';
import { ColumnChoice } from '../../../../browser/import/column-choice.tsx';
import { ProblemTable } from '../../../../browser/import/problem-table.tsx';
import { type SaleLine, toBody } from '../../import/lines.ts';
import { salesTexts, importTexts as texts } from '../../texts.ts';
import { clear, file, lines, mapping, ready, unmapped, wrong } from './chosen-file.ts';
import { start } from './importing.ts';
import { formatSold } from './sold-at.ts';
import { currency } from './state.ts';

const previewed = 5;

const Columns = () => (
  <ColumnChoice
    fields={importFields}
    labels={salesTexts.fields}
    columns={file.value?.columns ?? []}
    mapping={mapping}
  />
);

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
  const problems = wrong.value.flatMap(({ line, row, problems }) =>
    problems.map(({ field, message }) => ({
      line,
      field: field && salesTexts.fields[field],
      message,
      text: field && row[field],
    })),
  );
  return <ProblemTable problems={problems} />;
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
