import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { importTexts as texts } from '../../texts.ts';
import { clear } from './chosen-file.ts';
import {
  failed,
  isRunning,
  isStopping,
  left,
  recorded,
  repeated,
  resume,
  retry,
  stop,
  stopReason,
} from './importing.ts';
import { importing, url } from './state.ts';

const Failed = () => (
  <section>
    <h3>{texts.failed}</h3>
    <table class="table keep problems">
      <thead>
        <tr>
          <th scope="col">{texts.line}</th>
          <th scope="col">{texts.reason}</th>
        </tr>
      </thead>
      <tbody>
        {failed.value.map(({ item: { line }, error }) => (
          <tr key={line.line}>
            <td class="num">{formatNumber(line.line)}</td>
            <td>{error.message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const Running = () => {
  const { done = 0, count = 0 } = importing.value ?? {};
  return (
    <>
      <p class="num">{texts.running(formatNumber(done), formatNumber(count))}</p>
      <progress aria-label={texts.progress} value={done} max={count} />
      <p class="row mt">
        <Button onClick={stop} isBusy={isStopping.value}>
          {isStopping.value ? texts.stopping : texts.stop}
        </Button>
      </p>
    </>
  );
};

const Finished = () => {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  const unsent = left.value.length;
  const failures = failed.value.length;
  const showSales = () => {
    clear();
    url.close({ open: undefined });
  };
  return (
    <>
      <h3 ref={title} tabIndex={-1} class="mt" aria-describedby="outcome">
        {unsent > 0 ? texts.stopped([unsent, formatNumber(unsent)]) : texts.done}
      </h3>
      <ul id="outcome">
        <li>{texts.recorded([recorded.value, formatNumber(recorded.value)])}</li>
        {repeated.value > 0 && <li>{texts.repeated(formatNumber(repeated.value))}</li>}
        {failures > 0 && (
          <li class="err">{texts.failedCount([failures, formatNumber(failures)])}</li>
        )}
      </ul>
      {stopReason.value !== undefined && <Notice kind="bad">{stopReason.value}</Notice>}
      {failures > 0 && <Failed />}
      <p class="row wrap mt">
        {unsent > 0 && (
          <Button kind="primary" onClick={resume}>
            {texts.resume}
          </Button>
        )}
        {failures > 0 && (
          <Button icon="again" onClick={retry}>
            {texts.retry}
          </Button>
        )}
        <Button onClick={showSales}>{texts.showSales}</Button>
        <Button kind="ghost" onClick={clear}>
          {texts.chooseOther}
        </Button>
      </p>
    </>
  );
};

/** Shows how far the import is, and what became of each line. */
export const Progress = () => (isRunning.value ? <Running /> : <Finished />);
