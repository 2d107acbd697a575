import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../../../../browser/components/icon.tsx';
import { shareFilesTexts as texts } from '../../../../share-files-texts.ts';
import { openFile, rename } from '../actions.ts';
import { formatSize } from '../model/sizes.ts';
import { listRows, moveInTree, type TreeRow } from '../model/tree.ts';
import { getSendState, retry } from '../sending.ts';
import { allFiles, isSingle, main, opened, type ShownFile } from '../set.ts';
import { findIcon } from './icons.ts';
import { openRowMenu } from './row-menu.tsx';
import {
  collapsed,
  current,
  editing,
  editName,
  focusRow,
  place,
  removeRow,
  toggle,
} from './tree-state.ts';

const commitName = async (path: string, name: string): Promise<void> => {
  const error = await rename(path, name);
  if (error !== undefined) {
    editing.value = { path, error };
    return;
  }
  editing.value = undefined;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  focusRow(name.includes('/') ? opened.value : folder + name.trim());
};

const NameField = ({ row }: { readonly row: TreeRow }) => {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const { path, name, isFolder } = row;
  const error = editing.value?.error;
  // Before the next key, which belongs to the name.
  useLayoutEffect(() => {
    const { current: input } = field;
    input?.focus();
    const end = name.lastIndexOf('.');
    input?.setSelectionRange(0, isFolder || end < 1 ? name.length : end);
  }, []);
  const end = (isKept: boolean) => {
    if (isOver.current) return;
    const value = field.current?.value ?? name;
    if (isKept && value.trim() !== '' && value !== name) return void commitName(path, value);
    isOver.current = true;
    editing.value = undefined;
    focusRow(path);
  };
  return (
    <span class="grow">
      <input
        ref={field}
        class="in"
        value={name}
        aria-label={texts.newName(name)}
        aria-invalid={error !== undefined}
        aria-describedby="new-name-wrong"
        autocomplete="off"
        spellcheck={false}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter' || event.key === 'Escape') {
            event.preventDefault();
            end(event.key === 'Enter');
          }
        }}
        onBlur={() => end(false)}
        onClick={(event) => event.stopPropagation()}
      />
      <span class="err" id="new-name-wrong" role="alert">
        {error}
      </span>
    </span>
  );
};

/** What stands at the end of a row: how far its upload is, or its size. */
const State = ({ file }: { readonly file: ShownFile }) => {
  const state = getSendState(file.path);
  if (state?.is === 'queued') return <small>{texts.queued}</small>;
  if (state?.is === 'sending') return <small>{texts.percent(Math.floor(state.part * 100))}</small>;
  if (state?.is !== 'failed') return <small>{formatSize(file.size)}</small>;
  return (
    <span class="row end failed">
      <small title={state.message}>{texts.failed}</small>
      <button
        type="button"
        class="btn sm"
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
          retry(file.path);
        }}
      >
        {texts.tryAgain}
      </button>
    </span>
  );
};

const Row = ({ row, file }: { readonly row: TreeRow; readonly file: ShownFile | undefined }) => {
  const { path, name, level, isFolder, isExpanded, position, siblings } = row;
  const isEdited = editing.value?.path === path;
  const state = file && getSendState(path);
  const isWaiting = state?.is === 'queued' || state?.is === 'sending';
  const isMain = path === main.value && !isSingle.value;
  const icon = isMain ? 'home' : file ? findIcon(file) : 'folder';
  const act = () => {
    current.value = path;
    if (isFolder) toggle(path);
    else openFile(path);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      role="treeitem"
      class={isWaiting ? 'wait' : undefined}
      data-path={path}
      title={path}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={path === opened.value}
      {...(isFolder && { 'aria-expanded': isExpanded })}
      tabIndex={path === current.value ? 0 : -1}
      style={{ '--level': level }}
      onClick={act}
      onFocus={() => {
        current.value = path;
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        openRowMenu(path, event);
      }}
    >
      <Icon name={icon} />
      {isEdited ? (
        <NameField row={row} />
      ) : (
        <>
          <span class="cut">{name}</span>
          {isMain && <span class="badge info">{texts.isMain}</span>}
          {file && <State file={file} />}
        </>
      )}
    </div>
  );
};

const press = (event: KeyboardEvent, rows: readonly TreeRow[]): void => {
  const { key, ctrlKey, metaKey, altKey } = event;
  const path = current.value;
  const row = rows.find((one) => one.path === path);
  if (ctrlKey || metaKey || altKey || !row || editing.value) return;
  const move = moveInTree(rows, path, key);
  if (key === 'Enter' || key === ' ') {
    if (row.isFolder) toggle(path);
    else openFile(path);
  } else if (key === 'F2') editName(path);
  else if (key === 'Delete') removeRow(path);
  else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) openRowMenu(path);
  else if (move && 'focus' in move) focusRow(move.focus);
  else if (move) toggle(move.toggle);
  else return;
  event.preventDefault();
  event.stopPropagation();
};

/** The files of the share as a tree, with the keys of one. */
export const Tree = () => {
  const files = new Map(allFiles.value.map((file) => [file.path, file]));
  const rows = listRows([...files.keys()], main.value, collapsed.value);
  if (!rows.some(({ path }) => path === current.value)) current.value = opened.value;
  return (
    <div
      role="tree"
      aria-label={texts.tree}
      ref={(element) => {
        place.tree = element ?? undefined;
      }}
      onKeyDown={(event) => press(event, rows)}
    >
      {rows.map((row) => (
        <Row key={row.path} row={row} file={row.isFolder ? undefined : files.get(row.path)} />
      ))}
    </div>
  );
};
