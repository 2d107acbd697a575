import { useEffect } from 'preact/hooks';
import { Avatar } from '../../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Empty, NoResults } from '../../../../../browser/components/empty.tsx';
import { Icon } from '../../../../../browser/components/icon.tsx';
import { ListFrame } from '../../../../../browser/components/list-frame.tsx';
import type { MenuItem } from '../../../../../browser/components/menu.tsx';
import { ShowMore } from '../../../../../browser/components/show-more.tsx';
import { type Column, Table } from '../../../../../browser/components/table.tsx';
import { formatNumber, formatTime } from '../../../../../browser/data/format.ts';
import { getShareName } from '../../../../../browser/data/share-name.ts';
import { toOrder, toSort } from '../../../../../browser/data/sort-order.ts';
import { copyShareLink, lacksKey, toKeptLink } from '../../../../../browser/sealed/kept-link.ts';
import { sealedTexts } from '../../../../../browser/sealed/texts.ts';
import { formatAge } from '../../../../../browser/shell/relative-time.ts';
import { languageTexts, shareListTexts } from '../../../../../browser/texts.ts';
import { receivedTexts as texts } from '../../../received-texts.ts';
import { sharesTexts } from '../../../texts.ts';
import { isFiltered, isOfPage, natural, receivedSorts, unfiltered } from '../../../view.ts';
import { url } from '../state.ts';
import { Filter, Tools } from '../tools.tsx';
import { list, load, loadRest, type Received, remove, senders, shown } from './state.ts';

const Name = ({ share }: { readonly share: Received }) => {
  const { language, from, isNew, status, protected: isProtected, sealed } = share;
  const name = getShareName(share);
  const about = [
    languageTexts[language],
    ...(isProtected ? [texts.protected] : []),
    ...(lacksKey(share) ? [texts.needsKey(from.name)] : []),
    ...(status === 'ended' ? [shareListTexts.statuses.ended] : []),
  ].join(' · ');
  return (
    <span class="person">
      <span class={`kind ${language === 'markdown' ? 'a' : 'b'}`}>
        <Icon name={language === 'markdown' ? 'doc' : 'code'} />
      </span>
      <span>
        <b title={name} dir="auto">
          <a href={toKeptLink(share)}>{name}</a>
          {sealed && (
            <Badge icon="lock" class="sealed">
              {sealedTexts.sealed}
            </Badge>
          )}
          {isNew && <span class="count on">{texts.isNew}</span>}
        </b>
        <span>
          <span class="only-s">{from.name} · </span>
          {about}
        </span>
      </span>
    </span>
  );
};

const Why = ({ share: { audience, readersCount } }: { readonly share: Received }) => {
  if (audience === 'members') return <Badge icon="building">{texts.why.everyone}</Badge>;
  return readersCount === 0 ? (
    <Badge kind="info" icon="user">
      {texts.why.you}
    </Badge>
  ) : (
    <Badge kind="info" icon="users">
      {texts.why.youAnd(formatNumber(readersCount))}
    </Badge>
  );
};

const columns: readonly Column<Received>[] = [
  {
    id: 'title',
    title: texts.columns.title,
    isMain: true,
    sorts: natural.title,
    cell: (share) => <Name share={share} />,
  },
  {
    id: 'from',
    title: texts.columns.from,
    class: 'w-who',
    cell: ({ from }) => (
      <span class="row">
        <Avatar name={from.name} size="s" />
        <span class="cut" title={from.name} dir="auto">
          {from.name}
        </span>
      </span>
    ),
  },
  {
    id: 'why',
    title: texts.columns.why,
    class: 'w-who',
    cell: (share) => <Why share={share} />,
  },
  {
    id: 'createdAt',
    title: texts.columns.sharedAt,
    sorts: natural.createdAt,
    class: 'sub num w-d',
    cell: ({ sharedAt }) => <span title={formatTime(sharedAt)}>{formatAge(sharedAt)}</span>,
  },
];

const listActions = (share: Received): readonly MenuItem[] => [
  { label: texts.open, icon: 'open', href: toKeptLink(share) },
  {
    label: texts.copyLink,
    icon: 'link',
    run: () => copyShareLink(share, { done: texts.linkCopied, failed: texts.copyFailed }),
  },
  { label: texts.remove, icon: 'x', startsGroup: true, run: () => remove(share) },
];

const clear = () => url.change(unfiltered);

const Nothing = () =>
  isFiltered(url.view.value) ? (
    <NoResults text={texts.noMatch} clear={clear} />
  ) : (
    <Empty title={texts.none} text={texts.noneAbout} />
  );

const More = ({ count }: { readonly count: number }) =>
  isOfPage(url.view.value) ? (
    <span role="status">{texts.ofNewest(formatNumber(list.items.value?.length ?? 0))}</span>
  ) : (
    <ShowMore list={list} count={count} />
  );

/** What others share with the user: searched, filtered, and what can be done with each. */
export const ReceivedShares = () => {
  const { sort, search, from } = url.view.value;
  const isOldestFirst = sort === '-createdAt';
  useEffect(() => void load(), [isOldestFirst]);
  useEffect(() => {
    if (list.items.value !== undefined) void loadRest();
  }, [sort, search, from]);
  const isEmpty = shown.value?.length === 0 && !list.hasNext.value;
  return (
    <div>
      <Tools hasRows={!isEmpty || isFiltered(url.view.value)} sorts={receivedSorts}>
        <Filter
          name={sharesTexts.filters.from}
          options={[
            { value: undefined, label: texts.anyone },
            ...senders.value.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={from}
          onChange={(next) => url.change({ from: next })}
        />
      </Tools>
      <ListFrame list={list} shown={shown.value} hasAvatars empty={() => <Nothing />}>
        {(rows) => (
          <>
            <Table
              caption={texts.list}
              columns={columns}
              rows={rows}
              getKey={({ id }) => id}
              getName={getShareName}
              order={toOrder(sort, natural)}
              onOrder={(order) => {
                const next = toSort(order, natural, receivedSorts);
                if (next !== undefined) url.change({ sort: next });
              }}
              onOpen={(share) => location.assign(toKeptLink(share))}
              actions={listActions}
            />
            {list.hasNext.value && (
              <div class="pager">
                <More count={rows.length} />
              </div>
            )}
          </>
        )}
      </ListFrame>
    </div>
  );
};
