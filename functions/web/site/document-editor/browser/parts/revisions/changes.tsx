import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { cutDiff, groupLines } from '../../../../../../../shared/revisions/diff-lines.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { revisionsTexts as texts } from '../../../revisions-texts.ts';
import {
  changes,
  comparedWith,
  compareWith,
  getChosen,
  type Revision,
  restore,
  showList,
} from './state.ts';

type Difference = NonNullable<(typeof changes)['data']['value']>;

/** Lines of a diff. They keep their sign, and lines of one kind are one element. */
const Lines = ({ diff }: { readonly diff: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: it is no fieldset
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
  <pre class="diff" tabIndex={0} role="group" aria-label={texts.table} dir="auto">
    {groupLines(diff).map(({ tag, lines }, at) => {
      // In an application’s page, `i` is an icon.
      const Tag = tag === 'i' ? 'em' : tag;
      return <Tag key={at}>{`${lines.join('\n')}\n`}</Tag>;
    })}
  </pre>
);

const Found = ({ difference }: { readonly difference: Difference }) => {
  const { diff, title, lineEnds, isCut } = difference;
  const shown = cutDiff(diff);
  const isSame = diff === '' && !lineEnds && !title;
  return (
    <>
      {title && <p dir="auto">{texts.title(title.from, title.to)}</p>}
      {lineEnds && <p>{texts.lineEnds(lineEnds.from, lineEnds.to)}</p>}
      {isSame && <p>{texts.same}</p>}
      {diff !== '' && <Lines diff={shown} />}
      {(isCut || shown !== diff) && <p class="small mute">{texts.cut}</p>}
    </>
  );
};

interface OptionProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onClick: () => unknown;
}

const Option = ({ label, isOn, onClick }: OptionProps) => (
  <Button size="sm" aria-pressed={isOn} onClick={onClick}>
    {label}
  </Button>
);

/** What has changed since the chosen revision, and the way back to it. */
export const Changes = ({ all }: { readonly all: readonly Revision[] }) => {
  const isBusy = useSignal(false);
  const version = getChosen();
  useEffect(() => compareWith(undefined), [version]);
  const chosen = all.find((one) => one.version === version);
  if (!chosen) return null;
  const next = all.findLast((one) => one.version > chosen.version)?.version;
  const press = async () => {
    isBusy.value = true;
    await restore(chosen);
    isBusy.value = false;
  };
  return (
    <section aria-label={texts.changes}>
      <div class="row wrap">
        <Button
          class="only-s"
          kind="ghost"
          icon="left"
          label={texts.all}
          onClick={() => showList(chosen.version)}
        />
        <h3 tabIndex={-1} class="grow">
          {texts.written(formatTime(chosen.editedAt))}
        </h3>
        <Button kind="primary" isBusy={isBusy.value} onClick={press}>
          {texts.restore}
        </Button>
      </div>
      <div class="row wrap">
        <span class="small sub">{texts.comparedWith}</span>
        <Option
          label={texts.current}
          isOn={comparedWith.value === undefined}
          onClick={() => compareWith(undefined)}
        />
        {next !== undefined && (
          <Option
            label={texts.next}
            isOn={comparedWith.value === next}
            onClick={() => compareWith(next)}
          />
        )}
      </div>
      <Loaded source={changes} lines={8}>
        {(found) => found && <Found difference={found} />}
      </Loaded>
    </section>
  );
};
