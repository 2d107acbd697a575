import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import type { Item } from '../../../../browser/client/endpoints.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { createSource } from '../../../../browser/data/source.ts';
import { FileName } from '../../../../browser/files/file-name.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { talkTexts as texts } from '../../talk-texts.ts';
import type { DraftId } from '../parts/drafts.ts';
import { attachNew, getAttached, toggle } from './attached.ts';

type OwnFile = Item<'GET /api/files'>;

const delayMs = 250;
const shown = 20;
/** The most files that are read to find own ones among those of others. */
const maxRead = 300;

const findOwn = async (search: string): Promise<readonly OwnFile[]> => {
  const found: OwnFile[] = [];
  const query = { ...(search && { search }), sort: 'createdAt', pageSize: 100 } as const;
  for await (const file of api.items('GET /api/files', { query, maxItems: maxRead })) {
    if (file.type !== 'folder' && file.owner_id === signedIn?.user.id) found.push(file);
    if (found.length === shown) break;
  }
  return found;
};

interface FilesProps {
  readonly of: DraftId;
  readonly files: readonly OwnFile[];
  readonly isSearch: boolean;
}

const Files = ({ of, files, isSearch }: FilesProps) => {
  if (files.length === 0) {
    return <p class="mute small">{isSearch ? texts.noFilesFound : texts.noFiles}</p>;
  }
  const attached = new Set(getAttached(of).map(({ id }) => id));
  return (
    <ul>
      {files.map(({ id, name, size }) => (
        <li key={id}>
          <button
            type="button"
            class="btn ghost wide"
            aria-pressed={attached.has(id)}
            onClick={() => toggle(of, { id, name, size })}
          >
            <Icon name={attached.has(id) ? 'check' : 'doc'} />
            <span class="cut" dir="auto" title={name}>
              <FileName name={name} />
            </span>
            <span class="tiny num">{formatBytes(size)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
};

const AttachDialog = ({ of, close }: { readonly of: DraftId; readonly close: () => void }) => {
  const search = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const found = useMemo(() => createSource(() => findOwn(search.value)), []);
  useEffect(() => void found.load(), [search.value]);
  return (
    <Dialog title={texts.attachTitle} onClose={close}>
      <SearchField
        label={texts.searchFiles}
        value={search.value}
        delayMs={delayMs}
        onInput={(text) => {
          search.value = text.trim();
        }}
      />
      <div class="own-files">
        <Loaded source={found} lines={3}>
          {(files) => <Files of={of} files={files} isSearch={search.value !== ''} />}
        </Loaded>
      </div>
      <p class="hint">{texts.attachHint}</p>
      <div class="acts">
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={texts.upload}
          onChange={({ currentTarget }) => {
            attachNew(of, [...(currentTarget.files ?? [])]);
            close();
          }}
        />
        <Button icon="upload" onClick={() => input.current?.click()}>
          {texts.upload}
        </Button>
        <Button kind="primary" onClick={close}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
};

/** Lets the user choose files for a draft: own ones, or new ones that are uploaded. */
export const openAttach = (of: DraftId): void =>
  openDialog((close) => <AttachDialog of={of} close={close} />);
