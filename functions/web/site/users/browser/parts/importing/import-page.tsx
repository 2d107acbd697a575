import { useLayoutEffect, useRef } from 'preact/hooks';
import { importFields } from '../../../../../../api/users/import/file.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { ChooseFile, useDrops } from '../../../../../browser/import/choose-file.tsx';
import { importTexts as texts } from '../../../import-texts.ts';
import { url } from '../state.ts';
import { Check } from './check.tsx';
import { choose, clear, failure, file } from './chosen.ts';
import { Progress } from './progress.tsx';
import { hasStarted, isOver, isRunning } from './sending.ts';

const Choose = () => (
  <ChooseFile
    failure={failure.value}
    onChoose={choose}
    fields={importFields}
    describe={(field) => texts.formats[field]}
  />
);

/** Imports users from a CSV file: choose it, check it, create them. */
export const ImportPage = () => {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  useDrops((dropped) => {
    if (!isRunning.value) void choose(dropped);
  });
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
