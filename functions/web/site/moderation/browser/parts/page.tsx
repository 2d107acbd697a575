import { Badge } from '../../../../browser/components/badge.tsx';
import { Empty } from '../../../../browser/components/empty.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { ShowMore } from '../../../../browser/components/show-more.tsx';
import { type Column, Table } from '../../../../browser/components/table.tsx';
import { isPlainClick, Segments } from '../../../../browser/components/tabs.tsx';
import { formatDay, formatNumber } from '../../../../browser/data/format.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { ExportMenu } from '../../../../browser/export/export-menu.tsx';
import { sealedTexts } from '../../../../browser/sealed/texts.ts';
import { may } from '../../../../browser/shell/session.ts';
import { shareListTexts } from '../../../../browser/texts.ts';
import { moderationTexts as texts } from '../../texts.ts';
import { lists, toUrl } from '../../view.ts';
import { countReports } from './reports.ts';
import { RequestRows } from './requests/list.tsx';
import { RequestReview } from './requests/review.tsx';
import { list as requestList, shown as shownRequests } from './requests/state.ts';
import { Review } from './review.tsx';
import { shown } from './share-decisions.ts';
import { list, open, type Share, toQuery, url, view } from './state.ts';

const Name = ({ share }: { readonly share: Share }) => {
  const { id, ownerName, reports, status } = share;
  const name = getShareName(share);
  return (
    <span class="person">
      <span>
        <b title={name} dir="auto">
          <a
            href={toUrl({ ...view.value, open: id })}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              open(id);
            }}
          >
            {name}
          </a>
        </b>
        <span>
          {ownerName ?? texts.deletedUser}
          {reports > 0 && ` · ${countReports(reports)}`}
          {status !== 'active' && ` · ${shareListTexts.statuses[status]}`}
        </span>
      </span>
    </span>
  );
};

const columns: readonly Column<Share>[] = [
  {
    id: 'name',
    title: texts.columns.name,
    isMain: true,
    cell: (share) => (
      <>
        <Name share={share} />
        {share.sealed && <Badge icon="lock">{sealedTexts.sealed}</Badge>}
      </>
    ),
  },
  {
    id: 'reports',
    title: texts.columns.reports,
    class: 'num hide-d',
    cell: ({ reports }) =>
      reports > 0 && (
        <Badge kind="warn" icon="flag">
          {formatNumber(reports)}
        </Badge>
      ),
  },
  {
    id: 'since',
    title: texts.columns.since,
    class: 'sub num hide-d',
    cell: ({ reportedAt }) => reportedAt !== null && formatDay(reportedAt),
  },
  {
    id: 'created',
    title: texts.columns.created,
    class: 'sub num hide-d',
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

const Nothing = () =>
  view.value.list === 'reported' ? (
    <Empty title={texts.none} text={texts.noneAbout} />
  ) : (
    <Empty title={texts.noShares} />
  );

const Rows = () => (
  <ListFrame list={list} shown={shown.value} empty={() => <Nothing />}>
    {(rows) => (
      <>
        <Table
          caption={texts.list}
          columns={columns}
          rows={rows}
          getKey={({ id }) => id}
          getName={getShareName}
          onOpen={({ id }) => open(id)}
          openKey={view.value.open}
        />
        {list.hasNext.value && (
          <div class="pager">
            <ShowMore list={list} count={rows.length} />
          </div>
        )}
      </>
    )}
  </ListFrame>
);

/** Whose shares are listed, with the way back to all. */
const OwnerChip = ({ owner }: { readonly owner: number }) => {
  const name = list.items.value?.find(({ ownerId }) => ownerId === owner)?.ownerName;
  return (
    <button type="button" class="chip on" onClick={() => url.change({ owner: undefined })}>
      {texts.ofOwner(name ?? texts.someone)}
      <Icon name="x" />
    </button>
  );
};

/** What waits for a decision, by list. */
const waitingLists = {
  reported: { list, shown },
  requests: { list: requestList, shown: shownRequests },
} as const;

const Count = () => {
  const { list: name } = view.value;
  if (name === 'all') return null;
  const { list: waitingList, shown: left } = waitingLists[name];
  const { total, totalIsExact, items } = waitingList;
  if (!total.value) return null;
  const decidedNow = (items.value?.length ?? 0) - (left.value?.length ?? 0);
  const waiting = total.value - decidedNow;
  const count = `${formatNumber(waiting)}${totalIsExact.value ? '' : '+'}`;
  return <span class="small mute">{texts.waiting(count)}</span>;
};

/** The shares or requests to decide on, and the open one beside them. */
export const Moderation = () => {
  const { list: name, owner, open: id } = view.value;
  return (
    <div class={id === undefined ? 'moderation' : 'moderation split'}>
      <div>
        <div class="tools">
          <Segments
            label={texts.list}
            options={lists.map((value) => ({ value, label: texts.lists[value] }))}
            value={name}
            onChange={(next) =>
              url.change({ list: next, owner: undefined, open: undefined }, 'push')
            }
          />
          {owner !== undefined && <OwnerChip owner={owner} />}
          <span class="row end">
            <Count />
            {name !== 'requests' && may('shares:export') && (
              <ExportMenu path="/api/shares/export" getQuery={() => toQuery(view.value)} />
            )}
          </span>
        </div>
        {name === 'requests' ? <RequestRows /> : <Rows />}
      </div>
      {id !== undefined && (name === 'requests' ? <RequestReview /> : <Review id={id} />)}
    </div>
  );
};
