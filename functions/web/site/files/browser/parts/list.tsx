import { useEffect } from 'preact/hooks';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { ShowMore } from '../../../../browser/components/show-more.tsx';
import { BulkBar, type Column, Table } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { formatDay, formatNumber } from '../../../../browser/data/format.ts';
import { findFocusedRow } from '../../../../browser/data/rows.ts';
import { type Order, toOrder, toSort } from '../../../../browser/data/sort-order.ts';
import { FileName } from '../../../../browser/files/file-name.tsx';
import { describeKeys } from '../../../../browser/shell/page-keys.ts';
import { may } from '../../../../browser/shell/session.ts';
import { mayAct } from '../../../../browser/shell/single-keys.ts';
import { filesTexts as texts } from '../../texts.ts';
import { hasSort, isOfFolder, sorts, toUrl } from '../../view.ts';
import { Access } from './access.tsx';
import { chooseFolder, listActions, rename, toggleFavorite } from './actions.ts';
import { dragSource, dropTarget } from './dragging.ts';
import { Picture } from './picture.tsx';
import {
  type File,
  getPath,
  list,
  loadFiles,
  remove,
  rightsOf,
  selection,
  shown,
  toFolder,
  url,
  view,
} from './state.ts';

/** Opens a folder, or previews a file. */
const open = (file: File): void => {
  if (file.type !== 'folder') url.change({ open: file.id }, 'push');
  else if (rightsOf(file).isOwn) {
    url.change(toFolder(getPath(file)), 'push');
    document.querySelector('main')?.focus();
  }
};

const Name = ({ file }: { readonly file: File }) => {
  const { id, name, type, size, owner, folder } = file;
  const { isOwn } = rightsOf(file);
  const isFolder = type === 'folder';
  const href = toUrl(isFolder ? toFolder(getPath(file)) : { ...view.value, open: id });
  const about = [
    isFolder ? texts.types.folder : formatBytes(size),
    ...(isOwn ? [] : [owner]),
    ...(folder && !isOfFolder(view.value) ? [texts.inFolder(folder)] : []),
  ];
  return (
    <span class="person">
      <Picture file={file} />
      <span>
        <b title={name} dir="auto">
          {isFolder && !isOwn ? (
            <FileName name={name} />
          ) : (
            <a
              href={href}
              draggable={false}
              onClick={(event) => {
                if (!isPlainClick(event)) return;
                event.preventDefault();
                open(file);
              }}
            >
              <FileName name={name} />
            </a>
          )}
        </b>
        <span>{about.join(' · ')}</span>
      </span>
    </span>
  );
};

const Star = ({ file }: { readonly file: File }) =>
  rightsOf(file).isOwn && may('files:update') ? (
    <button
      type="button"
      class="btn ghost icon sm star"
      aria-label={texts.favorite(file.name)}
      aria-pressed={file.isFavorite}
      onClick={() => toggleFavorite(file)}
    >
      <Icon name="star" />
    </button>
  ) : null;

const columns: readonly Column<File>[] = [
  {
    id: 'name',
    title: texts.columns.name,
    isMain: true,
    sorts: 'ascending',
    cell: (file) => <Name file={file} />,
  },
  {
    id: 'star',
    title: texts.columns.favorite,
    hasHiddenTitle: true,
    class: 'mark',
    cell: (file) => <Star file={file} />,
  },
  {
    id: 'access',
    title: texts.columns.access,
    class: 'status',
    cell: (file) => file.type !== 'folder' && <Access file={file} />,
  },
  {
    id: 'createdAt',
    title: texts.columns.created,
    class: 'sub num',
    sorts: 'descending',
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

/** The direction of each order as it is without `-`. */
const natural = { name: 'ascending', createdAt: 'descending' } as const;

const sortBy = (order: Order): void => {
  const sort = toSort(order, natural, sorts);
  if (sort) url.change({ sort });
};

const clear = () => url.change({ search: '', show: may('files:create') ? 'folders' : 'all' });

const Nothing = () => {
  const { show, folder, search } = view.value;
  if (search.trim() !== '') return <NoResults text={texts.noneFound} clear={clear} />;
  if (show === 'shared') return <Empty title={texts.noneShared} />;
  if (show === 'favorites') return <Empty title={texts.noFavorites} />;
  if (show === 'folders' && folder !== '') return <Empty title={texts.emptyFolder} />;
  if (show !== 'folders' && show !== 'all') return <Empty title={texts.noneOfType} />;
  return may('files:create') ? (
    <Empty title={texts.noFiles} text={texts.noFilesAbout} />
  ) : (
    <Empty title={texts.noneShared} />
  );
};

/** Returns the file of the row with the focus, or the open one if its drawer has it. */
const findFile = (target: Element): File | undefined => {
  if (target.closest('.drawer')) return shown.value?.find(({ id }) => id === view.value.open);
  return target.closest('#files tbody tr') ? shown.value?.[findFocusedRow()] : undefined;
};

/** Keys for a file, as its menu says: F2 renames it, Del deletes it. Space previews it, where it presses no control. */
const useFileKeys = () => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (!(target instanceof Element) || !mayAct(event)) return;
      const file = findFile(target);
      if (!file) return;
      const { mayRename, mayDelete } = rightsOf(file);
      if (key === ' ' && !target.matches('button, input')) open(file);
      else if (key === 'F2' && mayRename) void rename(file);
      else if (key === 'Delete' && mayDelete) remove([file]);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    const forgetKeys = describeKeys([
      [texts.preview, ['Space']],
      [texts.rename, ['F2']],
      [texts.delete, ['Del']],
    ]);
    return () => {
      removeEventListener('keydown', press);
      forgetKeys();
    };
  }, []);
};

const getSelected = (): readonly File[] =>
  (shown.value ?? []).filter(({ id }) => selection.value.has(id));

const Bulk = () => (
  <BulkBar selection={selection}>
    {may('files:update') && (
      <Button kind="ghost" size="sm" icon="folder" onClick={() => chooseFolder(getSelected())}>
        {texts.move}
      </Button>
    )}
    {may('files:delete') && (
      <Button
        kind="ghost"
        size="sm"
        icon="trash"
        onClick={() => remove(getSelected().filter((file) => rightsOf(file).mayDelete))}
      >
        {texts.delete}
      </Button>
    )}
  </BulkBar>
);

const count = (): string => {
  const { total, totalIsExact, items } = list;
  const hidden = (items.value?.length ?? 0) - (shown.value?.length ?? 0);
  const all = (total.value ?? 0) - hidden;
  if (all === 1) return texts.oneItem;
  return texts.items(`${formatNumber(all)}${totalIsExact.value ? '' : '+'}`);
};

const isFolderGone = (): boolean =>
  list.items.value === undefined &&
  isOfFolder(view.value) &&
  (list.failure.value as { status?: number } | undefined)?.status === 400;

/** Loads more, or what wasn’t there at first. */
const loadAgain = () => (list.items.value === undefined ? loadFiles() : list.loadMore());

/** The list of what the view is of. */
export const List = () => {
  useFileKeys();
  if (isFolderGone()) {
    return (
      <div class="pad">
        <Notice kind="bad">{texts.folderGone}</Notice>
      </div>
    );
  }
  const order = hasSort(view.value) ? toOrder(view.value.sort, natural) : undefined;
  const maySelect = may('files:update') || may('files:delete');
  return (
    <ListFrame
      list={list}
      shown={shown.value}
      again={loadAgain}
      hasAvatars
      empty={() => <Nothing />}
    >
      {(rows) => (
        <>
          <Table
            caption={texts.title}
            columns={columns}
            rows={rows}
            getKey={({ id }) => id}
            getName={({ name }) => name}
            {...(order && { order, onOrder: sortBy })}
            {...(maySelect && { selection })}
            onOpen={open}
            openKey={view.value.open}
            actions={listActions}
            rowAttributes={(file) => ({
              ...(rightsOf(file).mayMove && dragSource(file)),
              ...(file.type === 'folder' &&
                rightsOf(file).isOwn &&
                dropTarget(getPath(file), file.id)),
            })}
          />
          <div class="pager">
            <span role="status">{count()}</span>
            <ShowMore list={list} count={rows.length} class="end" />
          </div>
          <Bulk />
        </>
      )}
    </ListFrame>
  );
};
