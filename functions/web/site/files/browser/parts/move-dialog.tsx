import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { api } from '../../../../browser/shell/api.ts';
import { filesTexts as texts } from '../../texts.ts';
import { Crumbs } from './crumbs.tsx';
import { type File, getPath } from './state.ts';

/** Sorted by name, folders precede files: six pages have all that a user may have. */
const maxFolders = 600;

/** Reads the folders in a folder. */
const readFolders = async (folder: string): Promise<readonly File[]> => {
  const found: File[] = [];
  const query = { folder: folder || '/', sort: 'name', pageSize: 100 } as const;
  for await (const file of api.items('GET /api/files', { query, maxItems: maxFolders })) {
    if (file.type !== 'folder') break;
    found.push(file);
  }
  return found;
};

interface MoveDialogProps {
  readonly files: readonly File[];
  readonly close: () => void;
  readonly choose: (folder: string) => void;
}

const MoveDialog = ({ files, close, choose }: MoveDialogProps) => {
  const folder = useSignal(files[0]?.folder ?? '');
  const folders = useSignal<readonly File[] | undefined>(undefined);
  const failure = useSignal<Error | undefined>(undefined);
  const load = async (path: string) => {
    folder.value = path;
    folders.value = undefined;
    failure.value = undefined;
    try {
      const found = await readFolders(path);
      if (folder.value !== path) return;
      folders.value = found.filter(({ id }) => !files.some((file) => file.id === id));
    } catch (error) {
      if (folder.value === path) failure.value = error as Error;
    }
  };
  useEffect(() => {
    void load(folder.value);
  }, []);
  const [first] = files;
  const title =
    files.length === 1
      ? texts.moveTitle(first?.name ?? '')
      : texts.moveSomeTitle(formatNumber(files.length));
  const isHere = files.every((file) => (file.folder ?? '') === folder.value);
  return (
    <Dialog title={title} onClose={close}>
      <Crumbs label={texts.path} folder={folder.value}>
        {({ name, path }) => (
          <button type="button" class="btn ghost sm" onClick={() => load(path)}>
            {name}
          </button>
        )}
      </Crumbs>
      <div class="folders" aria-busy={folders.value === undefined}>
        {failure.value !== undefined && (
          <Failure error={failure.value} again={() => load(folder.value)} />
        )}
        {folders.value === undefined && failure.value === undefined && <Skeleton lines={3} />}
        {folders.value?.length === 0 && <p class="mute small">{texts.noFoldersHere}</p>}
        <ul>
          {folders.value?.map((one) => (
            <li key={one.id}>
              <button type="button" class="btn ghost wide" onClick={() => load(getPath(one))}>
                <Icon name="folder" />
                <span class="cut" dir="auto">
                  {one.name}
                </span>
                <Icon name="right" />
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div class="acts">
        <Button onClick={close}>{texts.cancel}</Button>
        <Button kind="primary" disabled={isHere} onClick={() => choose(folder.value)}>
          {texts.moveHere}
        </Button>
      </div>
    </Dialog>
  );
};

/** Lets the user choose the folder that files are moved to. */
export const askToMove = (
  files: readonly File[],
  move: (files: readonly File[], folder: string) => unknown,
): void =>
  openDialog((close) => {
    const choose = (folder: string) => {
      close();
      move(files, folder);
    };
    return <MoveDialog files={files} close={close} choose={choose} />;
  });
