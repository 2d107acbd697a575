import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ImportField, importFields } from '../../../../../../api/users/import/file.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { Failure, Notice } from '../../../../../browser/components/notice.tsx';
import { formatList, formatNumber } from '../../../../../browser/data/format.ts';
import { ColumnChoice } from '../../../../../browser/import/column-choice.tsx';
import { type Problem, ProblemTable } from '../../../../../browser/import/problem-table.tsx';
import type { UserLine } from '../../../import/lines.ts';
import { importTexts as texts } from '../../../import-texts.ts';
import { isMailOn } from '../mail.ts';
import {
  check,
  checkFailure,
  checking,
  clear,
  existing,
  file,
  fresh,
  invalid,
  mapping,
  outcomes,
  unmapped,
} from './chosen.ts';
import { start } from './sending.ts';

const previewed = 5;

const Preview = () => {
  const shown = fresh.value.slice(0, previewed);
  if (shown.length === 0) return null;
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
                  {texts.labels[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ line, row }) => (
              <tr key={line}>
                <td class="num mute">{formatNumber(line)}</td>
                {fields.map((field) => (
                  <td key={field} dir="auto">
                    {row[field]}
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

const toProblems = ({ line, row, problem }: UserLine): readonly Problem[] => {
  if (problem !== undefined) return [{ line, field: undefined, message: problem, text: undefined }];
  const found = outcomes.value.get(line)?.problems ?? [];
  return found.map(({ field, message }) => ({
    line,
    field: texts.labels[field as ImportField] ?? field,
    message,
    text: row[field as ImportField],
  }));
};

const Summary = () => {
  const [count, known, wrong] = [fresh, existing, invalid].map(({ value }) => value.length);
  const format = (of = 0) => [of, formatNumber(of)] as const;
  return (
    <div role="status">
      <p>{count ? texts.fresh(format(count)) : texts.nothingNew}</p>
      {known !== undefined && known > 0 && <p>{texts.existing(format(known))}</p>}
      {wrong !== undefined && wrong > 0 && <p class="err">{texts.leftOut(format(wrong))}</p>}
    </div>
  );
};

const Checked = () => {
  const progress = checking.value;
  if (checkFailure.value) return <Failure error={checkFailure.value} again={check} />;
  if (progress) {
    return (
      <>
        <p class="num mt" role="status">
          {texts.checking(formatNumber(progress.done), formatNumber(progress.count))}
        </p>
        <progress aria-label={texts.checkProgress} value={progress.done} max={progress.count} />
      </>
    );
  }
  return (
    <>
      <Preview />
      <ProblemTable problems={invalid.value.flatMap(toProblems)} />
      <Summary />
    </>
  );
};

/** Shows what would become of each line before anyone is created. */
export const Check = () => {
  const name = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => name.current?.focus(), []);
  const fields = unmapped.value.map((field) => texts.labels[field]);
  const isReady = fields.length === 0 && !checking.value && !checkFailure.value;
  const count = [fresh.value.length, formatNumber(fresh.value.length)] as const;
  return (
    <>
      <p ref={name} tabIndex={-1} class="chosen sub cut" dir="auto">
        {file.value?.name}
      </p>
      {file.value?.encoding && <p class="sub">{texts.readAs(file.value.encoding)}</p>}
      <ColumnChoice
        fields={importFields}
        labels={texts.labels}
        columns={file.value?.columns ?? []}
        mapping={mapping}
      />
      {fields.length > 0 ? (
        <Notice kind="bad">{texts.unmapped(formatList(fields))}</Notice>
      ) : (
        <Checked />
      )}
      <p class="row wrap mt">
        {isReady && count[0] > 0 && (
          <Button kind="primary" onClick={() => start(fresh.value)}>
            {isMailOn ? texts.invite(count) : texts.create(count)}
          </Button>
        )}
        <Button onClick={clear}>{texts.chooseOther}</Button>
      </p>
    </>
  );
};
