import { useSignal } from '@preact/signals';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Empty } from '../../../../browser/components/empty.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { ShowMore } from '../../../../browser/components/show-more.tsx';
import { BulkBar, type Column, Table } from '../../../../browser/components/table.tsx';
import { formatDay, formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { FileName } from '../../../../browser/files/file-name.tsx';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { may } from '../../../../browser/shell/session.ts';
import { trashTexts as texts } from '../../trash-texts.ts';
import { Picture } from './picture.tsx';
import { type File, list, loadFiles, selection, shown } from './state.ts';
import { askToPurge, emptyTrash, restore } from './trash.ts';

const columns: readonly Column<File>[] = [
  {
    id: 'name',
    title: texts.name,
    isMain: true,
    cell: (file) => (
      <span class="person">
        <Picture file={file} />
        <span>
          <b title={file.name} dir="auto">
            <FileName name={file.name} />
          </b>
          <span>{[formatBytes(file.size), ...(file.folder ? [file.folder] : [])].join(' · ')}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'deletedAt',
    title: texts.deleted,
    class: 'sub num',
    cell: ({ deletedAt = '' }) => <span title={formatTime(deletedAt)}>{formatAge(deletedAt)}</span>,
  },
  {
    id: 'purgedAt',
    title: texts.purged,
    class: 'sub num',
    cell: ({ purgedAt = '' }) => formatDay(purgedAt),
  },
];

const listActions = (file: File): readonly MenuItem[] =>
  file.actions.includes('delete')
    ? [
        { label: texts.restore, icon: 'undo', run: () => restore([file]) },
        {
          label: texts.purge,
          icon: 'trash',
          isBad: true,
          startsGroup: true,
          run: () => askToPurge([file]),
        },
      ]
    : [];

const getSelected = (): readonly File[] =>
  (shown.value ?? []).filter(({ id }) => selection.value.has(id));

const EmptyTrash = () => {
  const isBusy = useSignal(false);
  const empty = async () => {
    isBusy.value = true;
    await emptyTrash();
    isBusy.value = false;
  };
  return (
    <Button size="sm" icon="trash" isBusy={isBusy.value} onClick={empty}>
      {texts.emptyTrash}
    </Button>
  );
};

/** The files in the trash. */
export const TrashList = () => (
  <ListFrame
    list={list}
    shown={shown.value}
    again={() => (list.items.value === undefined ? loadFiles() : list.loadMore())}
    hasAvatars
    empty={() => <Empty title={texts.empty} text={texts.emptyAbout} />}
  >
    {(rows) => (
      <>
        <div class="row wrap tip">
          <p class="hint grow">{texts.about}</p>
          {may('files:delete') && <EmptyTrash />}
        </div>
        <Table
          caption={texts.title}
          columns={columns}
          rows={rows}
          getKey={({ id }) => id}
          getName={({ name }) => name}
          {...(may('files:delete') && { selection })}
          actions={listActions}
        />
        <div class="pager">
          <span role="status">
            {texts.someFiles(formatNumber(list.total.value ?? rows.length))}
          </span>
          <ShowMore list={list} count={rows.length} class="end" />
        </div>
        <BulkBar selection={selection}>
          <Button kind="ghost" size="sm" icon="undo" onClick={() => restore(getSelected())}>
            {texts.restore}
          </Button>
          <Button kind="ghost" size="sm" icon="trash" onClick={() => askToPurge(getSelected())}>
            {texts.purge}
          </Button>
        </BulkBar>
      </>
    )}
  </ListFrame>
);
