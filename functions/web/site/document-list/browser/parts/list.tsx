import { Avatar } from '../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { Pager } from '../../../../browser/components/pager.tsx';
import { BulkBar, type Column, Table } from '../../../../browser/components/table.tsx';
import { formatDay, formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { type Order, toOrder, toSort } from '../../../../browser/data/sort-order.ts';
import {
  mayCreate,
  mayDelete,
  mayEdit,
  mayManage,
} from '../../../../browser/document-dialogs/document.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { documentsTexts as texts } from '../../texts.ts';
import { hasTitleOrder, isFiltered, sorts, toNew, toShow } from '../../view.ts';
import { askToPurge, chooseFolder, listActions, open, restore, toPage } from './actions.ts';
import {
  type Document,
  isOwn,
  list,
  pageSize,
  remove,
  selection,
  shown,
  url,
  view,
} from './state.ts';

const Title = ({ document }: { readonly document: Document }) => {
  const { title, tags, deletedAt, matchedIn } = document;
  const about = [
    ...(matchedIn === 'text' ? [texts.inText] : []),
    ...(tags.length > 0 ? [tags.map((tag) => `#${tag}`).join(' ')] : []),
  ];
  return (
    <span class="person">
      <span class="kind a">
        <Icon name="doc" />
      </span>
      <span>
        <b title={title} dir="auto">
          {deletedAt === undefined ? <a href={toPage(document)}>{title}</a> : title}
        </b>
        <span title={tags.join(', ')}>{about.join(' · ')}</span>
      </span>
    </span>
  );
};

const Author = ({ document }: { readonly document: Document }) => {
  const { author } = document;
  return (
    <span class="row">
      <Avatar name={author.name} size="s" />
      <span class="cut" title={author.name} dir="auto">
        {author.id === signedIn?.user.id ? texts.you : author.name}
      </span>
    </span>
  );
};

/** Who sees a document that the user manages; of others, what the user may do with it. */
const Access = ({ document }: { readonly document: Document }) => {
  const { visibility, sharedWith } = document;
  if (!isOwn(document) && !may('documents:manage')) {
    return mayEdit(document) ? (
      <Badge icon="pen">{texts.canEdit}</Badge>
    ) : (
      <Badge icon="eye">{texts.canRead}</Badge>
    );
  }
  if (visibility === 'everyone') return <Badge icon="globe">{texts.everyone}</Badge>;
  const { length } = sharedWith;
  if (length === 0) {
    return <Badge icon="lock">{isOwn(document) ? texts.onlyYou : texts.onlyAuthor}</Badge>;
  }
  return (
    <Badge icon="users">
      {length === 1 ? texts.onePerson : texts.people(formatNumber(length))}
    </Badge>
  );
};

const titleColumn: Column<Document> = {
  id: 'title',
  title: texts.columns.title,
  isMain: true,
  sorts: 'ascending',
  cell: (document) => <Title document={document} />,
};
const folderColumn: Column<Document> = {
  id: 'folder',
  title: texts.columns.folder,
  class: 'sub cut hide-d',
  cell: ({ folder }) => <span title={folder ?? ''}>{folder}</span>,
};

const columns: readonly Column<Document>[] = [
  titleColumn,
  folderColumn,
  {
    id: 'author',
    title: texts.columns.author,
    class: 'sub',
    cell: (document) => <Author document={document} />,
  },
  {
    id: 'access',
    title: texts.columns.access,
    class: 'status',
    cell: (document) => <Access document={document} />,
  },
  {
    id: 'changed',
    title: texts.columns.changed,
    class: 'sub num',
    cell: ({ updatedAt }) => <span title={formatTime(updatedAt)}>{formatAge(updatedAt)}</span>,
  },
  {
    id: 'createdAt',
    title: texts.columns.created,
    class: 'sub num hide-d',
    sorts: 'descending',
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

const trashColumns: readonly Column<Document>[] = [
  titleColumn,
  folderColumn,
  {
    id: 'deletedAt',
    title: texts.columns.deleted,
    class: 'sub num',
    cell: ({ deletedAt = '' }) => <span title={formatTime(deletedAt)}>{formatAge(deletedAt)}</span>,
  },
  {
    id: 'purgedAt',
    title: texts.columns.purged,
    class: 'sub num',
    cell: ({ purgedAt = '' }) => formatDay(purgedAt),
  },
];

/** The direction of each order as it is without `-`. */
const natural = { title: 'ascending', createdAt: 'descending' } as const;

const sortBy = (order: Order): void => {
  const sort = toSort(order, natural, sorts);
  if (sort) url.change({ sort, page: 1 });
};

const getSelected = (): readonly Document[] =>
  (shown.value ?? []).filter(({ id }) => selection.value.has(id));

const Bulk = () => {
  const isTrash = view.value.show === 'trash';
  return (
    <BulkBar selection={selection}>
      {isTrash && (
        <>
          <Button kind="ghost" size="sm" icon="undo" onClick={() => restore(getSelected())}>
            {texts.restore}
          </Button>
          <Button kind="ghost" size="sm" icon="trash" onClick={() => askToPurge(getSelected())}>
            {texts.purge}
          </Button>
        </>
      )}
      {!isTrash && getSelected().some(mayManage) && (
        <Button kind="ghost" size="sm" icon="folder" onClick={() => chooseFolder(getSelected())}>
          {texts.move}
        </Button>
      )}
      {!isTrash && getSelected().some(mayDelete) && (
        <Button
          kind="ghost"
          size="sm"
          icon="trash"
          onClick={() => remove(getSelected().filter(mayDelete))}
        >
          {texts.delete}
        </Button>
      )}
    </BulkBar>
  );
};

const clear = () => url.change(toShow(view.value, view.value.show));

const newButton = () =>
  mayCreate() ? (
    <a class="btn" href={toNew(view.value)}>
      <Icon name="plus" />
      {texts.newDocument}
    </a>
  ) : undefined;

const Nothing = () => {
  const { show, page } = view.value;
  if (isFiltered(view.value) || page > 1) return <NoResults text={texts.noMatch} clear={clear} />;
  if (show === 'trash') return <Empty title={texts.noTrash} text={texts.trashAbout} />;
  if (show === 'shared') return <Empty title={texts.noneShared} />;
  if (show === 'mine') return <Empty title={texts.noneMine} action={newButton()} />;
  return <Empty title={texts.none} text={texts.noneAbout} action={newButton()} />;
};

/** A search that has looked into the newest texts goes on from there. */
const NotYet = () => (
  <Empty
    title={texts.notYet}
    text={texts.notYetAbout}
    action={
      <Button onClick={() => url.change({ page: view.value.page + 1 }, 'push')}>
        {texts.searchOlder}
      </Button>
    }
  />
);

/** The documents that the view is of, a page at a time. */
export const List = () => {
  const isTrash = view.value.show === 'trash';
  const order = isTrash ? undefined : toOrder(view.value.sort, natural);
  const maySelect = shown.value?.some((one) => mayManage(one) || mayDelete(one)) ?? false;
  return (
    <ListFrame
      list={list}
      shown={shown.value}
      again={() => list.load(view.value.page)}
      hasAvatars
      empty={() => <Nothing />}
    >
      {(rows) =>
        rows.length === 0 ? (
          <NotYet />
        ) : (
          <>
            <Table
              caption={texts.title}
              columns={isTrash ? trashColumns : listColumns()}
              rows={rows}
              getKey={({ id }) => id}
              getName={({ title }) => title}
              {...(order && { order, onOrder: sortBy })}
              {...(maySelect && { selection })}
              {...(!isTrash && { onOpen: open })}
              actions={listActions}
            />
            <Pager
              list={list}
              pageSize={pageSize}
              onPage={(page) => url.change({ page }, 'push')}
            />
            <Bulk />
          </>
        )
      }
    </ListFrame>
  );
};

/** Within a filter, documents are in the order of their creation only. */
const byTime = columns.map((column) => {
  const { sorts: _, ...rest } = column;
  return column.id === 'title' ? rest : column;
});

const listColumns = (): readonly Column<Document>[] =>
  hasTitleOrder(view.value) ? columns : byTime;
