import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { ShowMore } from '../../../../browser/components/show-more.tsx';
import { BulkBar, type Column, Table } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { toOrder, toSort } from '../../../../browser/data/sort-order.ts';
import { ExportMenu } from '../../../../browser/export/export-menu.tsx';
import { sealedTexts } from '../../../../browser/sealed/texts.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { languageTexts, shareListTexts } from '../../../../browser/texts.ts';
import { sharesTexts as texts } from '../../texts.ts';
import {
  isFiltered,
  isOfPage,
  natural,
  sorts,
  statuses,
  toExportQuery,
  toUrl,
  unfiltered,
  whoFilters,
} from '../../view.ts';
import { extend, listActions } from './actions.ts';
import { Audience, describeAudience } from './audience.tsx';
import { describeEnd } from './end.ts';
import { list, loadShares, remove, type Share, selection, shown, total, url } from './state.ts';
import { Status } from './status.tsx';
import { Filter, Tools } from './tools.tsx';

const describeViews = ({ views, viewLimit, audience }: Share): string => {
  if (viewLimit !== null) return texts.viewsOf(formatNumber(views), formatNumber(viewLimit));
  return views === 0 && audience === 'private' ? texts.nothing : formatNumber(views);
};

const open = ({ id }: Share): void =>
  url.change({ open: id }, url.view.value.open === undefined ? 'push' : 'replace');

const Name = ({ share }: { readonly share: Share }) => {
  const { id, language, createdAt, submittedBy, protected: isProtected, sealed } = share;
  const name = getShareName(share);
  const about = [
    languageTexts[language],
    ...(submittedBy === null ? [] : [shareListTexts.fromOutside(submittedBy)]),
    ...(isProtected ? [texts.protected] : []),
    texts.created(formatAge(createdAt)),
  ].join(' · ');
  return (
    <span class="person">
      <span class={`kind ${language === 'markdown' ? 'a' : 'b'}`}>
        <Icon name={language === 'markdown' ? 'doc' : 'code'} />
      </span>
      <span>
        <b title={name} dir="auto">
          <a
            href={toUrl({ ...url.view.value, open: id })}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              open(share);
            }}
          >
            {name}
          </a>
          {sealed && (
            <Badge icon="lock" class="sealed">
              {sealedTexts.sealed}
            </Badge>
          )}
        </b>
        <span title={about}>
          <span class="only-s">{describeAudience(share)} · </span>
          {about}
        </span>
      </span>
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
    id: 'who',
    title: texts.columns.who,
    class: 'w-who',
    cell: (share) => <Audience share={share} />,
  },
  {
    id: 'status',
    title: texts.columns.status,
    class: 'status w-st',
    cell: (share) => <Status share={share} />,
  },
  {
    id: 'views',
    title: texts.columns.views,
    sorts: natural.views,
    class: 'sub num r hide-d w-n',
    cell: describeViews,
  },
  {
    id: 'expiresAt',
    title: texts.columns.expiresAt,
    sorts: natural.expiresAt,
    class: 'sub num hide-d w-d',
    cell: (share) => (
      <span title={share.expiresAt === null ? undefined : formatTime(share.expiresAt)}>
        {describeEnd(share)}
      </span>
    ),
  },
];

const Create = () => (
  <a class="btn primary" href="/">
    <Icon name="plus" />
    {texts.create}
  </a>
);

const clear = () => url.change(unfiltered);

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
          onOpen={open}
          openKey={url.view.value.open}
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

const toOptions = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
) => values.map((value) => ({ value, label: labels[value] }));

/** The user's shares: searched, filtered, and what can be done with each. */
export const OwnShares = () => {
  const { status, who } = url.view.value;
  const isEmpty = shown.value?.length === 0 && !list.hasNext.value;
  return (
    <div>
      <Tools hasRows={!isEmpty || isFiltered(url.view.value)} sorts={sorts}>
        <Filter
          name={texts.filters.status}
          options={toOptions(statuses, texts.statuses)}
          value={status}
          onChange={(next) => url.change({ status: next })}
        />
        <span class="hide-s">
          <Filter
            name={texts.filters.who}
            options={toOptions(whoFilters, texts.who)}
            value={who}
            onChange={(next) => url.change({ who: next })}
          />
        </span>
        <ExportMenu
          path="/api/shares/export"
          getQuery={() => toExportQuery(url.view.value)}
          total={isFiltered(url.view.value) ? undefined : total.value}
        />
      </Tools>
      <Rows />
    </div>
  );
};
