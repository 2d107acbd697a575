import { Badge } from '../../../../browser/components/badge.tsx';
import { Empty } from '../../../../browser/components/empty.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { ShowMore } from '../../../../browser/components/show-more.tsx';
import { type Column, Table } from '../../../../browser/components/table.tsx';
import { isPlainClick, Segments } from '../../../../browser/components/tabs.tsx';
import { formatDay, formatNumber } from '../../../../browser/data/format.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { shareListTexts } from '../../../../browser/texts.ts';
import { moderationTexts as texts } from '../../texts.ts';
import { lists, toUrl } from '../../view.ts';
import { shown } from './decisions.ts';
import { Review } from './review.tsx';
import { list, type Share, url, view } from './state.ts';

const countReports = (reports: number): string =>
  reports === 1 ? texts.oneReport : texts.count(formatNumber(reports));

const open = ({ id }: Share) =>
  url.change({ open: id }, view.value.open === undefined ? 'push' : 'replace');

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
              open(share);
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
    cell: (share) => <Name share={share} />,
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
          onOpen={open}
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

const Count = () => {
  const { total, totalIsExact } = list;
  if (view.value.list !== 'reported' || !total.value) return null;
  const decidedNow = (list.items.value?.length ?? 0) - (shown.value?.length ?? 0);
  const waiting = total.value - decidedNow;
  const count = `${formatNumber(waiting)}${totalIsExact.value ? '' : '+'}`;
  return <span class="end small mute">{texts.waiting(count)}</span>;
};

/** The shares to decide on, and the open one beside them. */
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
          <Count />
        </div>
        <Rows />
      </div>
      {id !== undefined && <Review id={id} />}
    </div>
  );
};
