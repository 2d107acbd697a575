import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ImportField } from '../../../../../../api/users/import/file.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { copyText } from '../../../../../browser/data/clipboard.ts';
import { copyByHand } from '../../../../../browser/data/copy-by-hand.ts';
import { saveFile, toCsv } from '../../../../../browser/data/csv.ts';
import { formatNumber } from '../../../../../browser/data/format.ts';
import { ProblemTable } from '../../../../../browser/import/problem-table.tsx';
import { commonTexts } from '../../../../../browser/texts.ts';
import { importTexts as texts } from '../../../import-texts.ts';
import { isMailOn } from '../mail.ts';
import { importing, url } from '../state.ts';
import { clear } from './chosen.ts';
import {
  created,
  existed,
  failed,
  isRunning,
  isStopping,
  left,
  resume,
  stop,
  stopReason,
} from './sending.ts';

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

/** The links to pass on, where no email is sent. */
const Links = () => {
  const links = created.value.flatMap(({ email, link }) =>
    email !== null && link !== undefined ? [{ email, link }] : [],
  );
  if (links.length === 0) return null;
  const save = () => {
    const rows = links.map(({ email, link }) => [email, link]);
    saveFile(texts.linkFile, toCsv([texts.linkColumns, ...rows]), 'text/csv;charset=utf-8');
  };
  return (
    <section>
      <h3>{texts.links}</h3>
      <p class="hint">{texts.linksAbout}</p>
      <Button size="sm" icon="load" onClick={save}>
        {texts.saveLinks}
      </Button>
      <ul class="links">
        {links.map(({ email, link }) => (
          <li key={email} class="row">
            <span class="cut" dir="auto">
              {email}
            </span>
            <input
              class="in mono grow"
              readOnly
              aria-label={texts.linkOf(email)}
              value={link}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <Button
              size="sm"
              icon="copy"
              label={texts.copyOf(email)}
              onClick={() => copyText(link, commonTexts.copied, copyByHand)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};

const Failed = () => (
  <ProblemTable
    problems={failed.value.flatMap(({ line, email, problems }) =>
      problems.map(({ field, message }) => ({
        line,
        field: texts.labels[field as ImportField] ?? field,
        message,
        text: field === 'email' ? (email ?? undefined) : undefined,
      })),
    )}
  />
);

const Finished = () => {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  const format = ({ length }: readonly unknown[]) => [length, formatNumber(length)] as const;
  const showUsers = () => {
    clear();
    url.close({ open: undefined });
  };
  const unsent = left.value.length;
  return (
    <>
      <h3 ref={title} tabIndex={-1} class="mt" aria-describedby="outcome">
        {unsent > 0 ? texts.stopped(format(left.value)) : texts.done}
      </h3>
      <ul id="outcome">
        <li>{(isMailOn ? texts.createdInvited : texts.created)(format(created.value))}</li>
        {existed.value.length > 0 && <li>{texts.existed(formatNumber(existed.value.length))}</li>}
        {failed.value.length > 0 && <li class="err">{texts.failed(format(failed.value))}</li>}
      </ul>
      {stopReason.value !== undefined && <Notice kind="bad">{stopReason.value}</Notice>}
      <Failed />
      <Links />
      <p class="row wrap mt">
        {unsent > 0 && (
          <Button kind="primary" onClick={resume}>
            {texts.resume}
          </Button>
        )}
        <Button onClick={showUsers}>{texts.showUsers}</Button>
        <Button kind="ghost" onClick={clear}>
          {texts.chooseOther}
        </Button>
      </p>
    </>
  );
};

/** Shows how far the import is, and what became of each line. */
export const Progress = () => (isRunning.value ? <Running /> : <Finished />);
