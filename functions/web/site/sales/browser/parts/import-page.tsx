import { useLayoutEffect, useRef } from 'preact/hooks';
import { importFields } from '../../../../../api/sales/import-file.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { ChooseFile, useDrops } from '../../../../browser/import/choose-file.tsx';
import { importTexts as texts } from '../../texts.ts';
import { choose, clear, failure, file } from './chosen-file.ts';
import { Check } from './import-check.tsx';
import { Progress } from './import-progress.tsx';
import { hasStarted, isOver, isRunning } from './importing.ts';
import { currency, url } from './state.ts';

const describe = (field: (typeof importFields)[number]): string =>
  field === 'currency' ? texts.formats.currency(currency) : texts.formats[field];

const Choose = () => (
  <ChooseFile
    failure={failure.value}
    onChoose={choose}
    fields={importFields}
    describe={describe}
    hint={texts.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
  />
);

/** Imports sales from a CSV file: choose it, check it, send it. */
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
