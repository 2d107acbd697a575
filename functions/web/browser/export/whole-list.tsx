// What asks for a list as a whole, loaded by the first click.
import { useSignal } from '@preact/signals';
import { maxFileRows, maxRows } from '../../../../shared/exports/max-rows.ts';
import { Button } from '../components/button.tsx';
import { Dialog, openDialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { Segments } from '../components/tabs.tsx';
import { toast } from '../components/toast.tsx';
import { formatNumber } from '../data/format.ts';
import { api } from '../shell/api.ts';
import { type ExportedList, type ExportFormat, toFileQuery } from './address.ts';
import { exportTexts as texts } from './texts.ts';

/** Where a file is shown until it is downloaded. */
const ownData = '/account?tab=security#your-data';

const formats = ['csv', 'ndjson'] as const;

const prepare = async ({ path, query }: ExportedList, format: ExportFormat): Promise<void> => {
  await api.call(`POST ${path}`, { query: toFileQuery(query, format) });
  toast({
    text: texts.preparing,
    action: { label: texts.show, run: () => location.assign(ownData) },
  });
};

interface WholeListProps {
  readonly list: ExportedList;
  readonly first: ExportFormat;
  readonly close: () => void;
}

const WholeList = ({ list, first, close }: WholeListProps) => {
  const format = useSignal(first);
  const isBusy = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const { total } = list;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await prepare(list, format.value);
      close();
    } catch (error) {
      failure.value = (error as Error).message;
      isBusy.value = false;
    }
  };
  const downloadFirst = async () => {
    close();
    await (await import('./download.ts')).download(list, format.value);
  };
  return (
    <Dialog
      title={texts.title(total === undefined ? undefined : formatNumber(total))}
      onClose={close}
    >
      <p class="sub mt0">{texts.about(formatNumber(maxRows))}</p>
      {total !== undefined && total > maxFileRows && (
        <Notice kind="warn">{texts.tooMany(formatNumber(maxFileRows))}</Notice>
      )}
      <form class="mt" method="post" onSubmit={submit}>
        <Segments
          label={texts.format}
          options={formats.map((value) => ({ value, label: texts.short[value] }))}
          value={format.value}
          onChange={(next) => {
            format.value = next;
          }}
        />
        {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
        <div class="acts wrap">
          <Button kind="ghost" onClick={close}>
            {texts.cancel}
          </Button>
          <Button onClick={downloadFirst}>{texts.first(formatNumber(maxRows))}</Button>
          <Button type="submit" kind="primary" isBusy={isBusy.value} autofocus>
            {texts.prepare}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/** Asks whether the service is to prepare a file of a whole list, and in which format. */
export const askForWholeList = (list: ExportedList, first: ExportFormat): void =>
  openDialog((close) => <WholeList list={list} first={first} close={close} />);
