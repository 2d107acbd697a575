import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { ShowMore } from '../../../../browser/components/show-more.tsx';
import { BulkBar, type Column, SortMenu, Table } from '../../../../browser/components/table.tsx';
import { Segments } from '../../../../browser/components/tabs.tsx';
import { formatDay, formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { toOrder, toSort } from '../../../../browser/data/sort-order.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { languageTexts, shareListTexts } from '../../../../browser/texts.ts';
import { sharesTexts as texts } from '../../texts.ts';
import { isFiltered, isOfPage, natural, sorts, statuses } from '../../view.ts';
import { extend, listActions } from './actions.ts';
import { list, loadShares, remove, type Share, selection, shown, url } from './state.ts';

const describeViews = ({ views, viewLimit, viewsLeft }: Share): string => {
  if (viewLimit !== null) {
    return texts.viewsLeft(formatNumber(viewsLeft ?? 0), formatNumber(viewLimit));
  }
  return views === 1 ? texts.oneView : texts.views(formatNumber(views));
};

const Name = ({ share }: { readonly share: Share }) => {
  const { language, url: href, createdAt } = share;
  const name = getShareName(share);
  return (
    <span class="person">
      <span class={`kind ${language === 'markdown' ? 'a' : 'b'}`}>
        <Icon name={language === 'markdown' ? 'doc' : 'code'} />
      </span>
      <span>
        <b title={name} dir="auto">
          <a href={href}>{name}</a>
        </b>
        <span>
          {languageTexts[language]} · {formatAge(createdAt)}
          <span class="only-s"> · {describeViews(share)}</span>
        </span>
      </span>
    </span>
  );
};

const Access = ({ share }: { readonly share: Share }) => {
  const { status, protected: isProtected } = share;
  const isActive = status === 'active';
  return (
    <span class="row wrap">
      <Badge hasDot {...(isActive ? { kind: 'ok' } : status === 'ended' ? {} : { kind: 'bad' })}>
        {isActive ? texts.active : shareListTexts.statuses[status]}
      </Badge>
      {isProtected && <Badge icon="lock">{texts.protected}</Badge>}
    </span>
  );
};

const columns: readonly Column<Share>[] = [
  {
    id: 'title',
    title: texts.columns.title,
    isMain: true,
    sorts: natural.title,
    cell: (share) => <Name share={share} />,
  },
  {
    id: 'access',
    title: texts.columns.access,
    class: 'status',
    cell: (share) => <Access share={share} />,
  },
  {
    id: 'views',
    title: texts.columns.views,
    sorts: natural.views,
    class: 'sub num',
    cell: describeViews,
  },
  {
    id: 'expiresAt',
    title: texts.columns.expiresAt,
    sorts: natural.expiresAt,
    class: 'sub num hide-d',
    cell: ({ expiresAt }) => (expiresAt === null ? texts.never : formatTime(expiresAt)),
  },
  {
    id: 'createdAt',
    title: texts.columns.createdAt,
    sorts: natural.createdAt,
    class: 'sub num hide-d',
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

const Create = () => (
  <a class="btn primary" href="/">
    <Icon name="plus" />
    {texts.create}
  </a>
);

const clear = () => url.change({ search: '', status: 'all' });

/** Says which shares were searched or sorted, or offers more. */
const More = ({ count }: { readonly count: number }) => {
  const { view } = url;
  if (!isOfPage(view.value)) return <ShowMore list={list} count={count} />;
  const loaded = formatNumber(list.items.value?.length ?? 0);
  return (
    <span role="status">
      {view.value.sort === '-createdAt' ? texts.ofOldest(loaded) : texts.ofNewest(loaded)}
    </span>
  );
};

const Nothing = () =>
  isFiltered(url.view.value) ? (
    <NoResults text={texts.noMatch} clear={clear} />
  ) : (
    <Empty title={texts.none} text={texts.noneAbout} action={<Create />} />
  );

const getSelected = (rows: readonly Share[]) => rows.filter(({ id }) => selection.value.has(id));

/** Loads more, or what wasn’t there at first. */
const loadAgain = () => (list.items.value === undefined ? loadShares() : list.loadMore());

const Rows = () => (
  <ListFrame list={list} shown={shown.value} again={loadAgain} hasAvatars empty={() => <Nothing />}>
    {(rows) => (
      <>
        <Table
          caption={texts.title}
          columns={columns}
          rows={rows}
          getKey={({ id }) => id}
          getName={getShareName}
          selection={selection}
          order={toOrder(url.view.value.sort, natural)}
          onOrder={(order) => {
            const sort = toSort(order, natural, sorts);
            if (sort !== undefined) url.change({ sort });
          }}
          onOpen={(share) => location.assign(share.url)}
          actions={listActions}
        />
        {list.hasNext.value && (
          <div class="pager">
            <More count={rows.length} />
          </div>
        )}
        <BulkBar selection={selection}>
          <Button kind="ghost" size="sm" icon="cal" onClick={() => extend(getSelected(rows))}>
            {texts.extend}
          </Button>
          <Button kind="ghost" size="sm" icon="trash" onClick={() => remove(getSelected(rows))}>
            {texts.delete}
          </Button>
        </BulkBar>
      </>
    )}
  </ListFrame>
);

/** The user's shares: searched, filtered, and what can be done with each. */
export const Shares = () => {
  const { search, status, sort } = url.view.value;
  const isEmpty = shown.value?.length === 0 && !list.hasNext.value;
  return (
    <>
      <div class="tools" hidden={isEmpty && !isFiltered(url.view.value)}>
        <SearchField
          label={texts.search}
          value={search}
          onInput={(next) => url.change({ search: next })}
        />
        <Segments
          label={texts.status}
          options={statuses.map((value) => ({ value, label: texts.statuses[value] }))}
          value={status}
          onChange={(next) => url.change({ status: next })}
        />
        <SortMenu sorts={sorts} value={sort} onChange={(next) => url.change({ sort: next })} />
      </div>
      <Rows />
    </>
  );
};
