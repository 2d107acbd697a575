import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Button } from '../../../../browser/components/button.tsx';
import type { UploadItem } from '../../../../browser/data/uploads.ts';
import { FileName } from '../../../../browser/files/file-name.tsx';
import { filesTexts as texts } from '../../texts.ts';
import { isLeftForDownload } from './actions.ts';
import { progress, summary, uploads } from './uploads.ts';

const { isUploading } = uploads;

const describe = ({ state, part, message }: UploadItem): string => {
  if (state === 'sending') {
    return part < 1 ? texts.sending(Math.floor(100 * part)) : texts.checking;
  }
  return state === 'failed' ? (message ?? '') : texts[state];
};

const Line = ({ item }: { readonly item: UploadItem }) => {
  const { file, state, part } = item;
  const isOpen = state === 'waiting' || state === 'sending';
  return (
    <li data-state={state}>
      <span class="grow">
        <span class="cut blk" title={file.name} dir="auto">
          <FileName name={file.name} />
        </span>
        {isOpen && <progress aria-label={texts.progress(file.name)} value={part} max={1} />}
        <span class={state === 'failed' ? 'err' : 'tiny mute num'}>
          {formatBytes(file.size)} · <span class="state">{describe(item)}</span>
        </span>
      </span>
      {isOpen && (
        <Button
          kind="ghost"
          size="sm"
          icon="x"
          label={texts.cancelUpload(file.name)}
          onClick={() => uploads.cancel(item)}
        />
      )}
      {(state === 'failed' || state === 'canceled') && (
        <Button
          kind="ghost"
          size="sm"
          icon="again"
          label={texts.retryUpload(file.name)}
          onClick={() => uploads.retry(item)}
        />
      )}
    </li>
  );
};

/** The uploads, at the edge of the page. */
const Tray = () => {
  const isOpen = useSignal(true);
  const items = uploads.items.value;
  if (items.length === 0) return null;
  const done = items.filter(({ state }) => state !== 'waiting' && state !== 'sending').length;
  const clearDone = () => {
    uploads.clear();
    if (uploads.items.value.length === 0) document.querySelector('main')?.focus();
  };
  return (
    <section class="tray" aria-labelledby="uploads-title">
      <header>
        <h2 id="uploads-title" tabIndex={-1}>
          {isUploading.value ? texts.uploading(done, items.length) : texts.uploads}
        </h2>
        <span class="row end">
          {done > 0 && (
            <Button kind="ghost" size="sm" onClick={clearDone}>
              {texts.clear}
            </Button>
          )}
          <Button
            kind="ghost"
            size="sm"
            icon={isOpen.value ? 'down' : 'up'}
            label={isOpen.value ? texts.collapse : texts.expand}
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          />
        </span>
      </header>
      {isUploading.value && (
        <progress aria-label={texts.progressOfAll} value={progress.value} max={1} />
      )}
      <p id="uploads-summary" class="small" role="status">
        {summary.value}
      </p>
      <ul hidden={!isOpen.value}>
        {items.map((item) => (
          <Line key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
};

let isStarted = false;

/** Uploads files to a folder, and shows how it goes. Asks before the page is left meanwhile. */
export const startUploads = (files: readonly File[], folder: string): void => {
  if (!isStarted) {
    isStarted = true;
    const place = document.createElement('div');
    document.querySelector('main')?.append(place);
    render(<Tray />, place);
    addEventListener('beforeunload', (event) => {
      const isLeft = !isLeftForDownload();
      if (isLeft && isUploading.value) event.preventDefault();
    });
  }
  uploads.add(files, folder);
};
