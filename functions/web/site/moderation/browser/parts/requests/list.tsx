import { useEffect } from 'preact/hooks';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Empty } from '../../../../../browser/components/empty.tsx';
import { ListFrame } from '../../../../../browser/components/list-frame.tsx';
import { ShowMore } from '../../../../../browser/components/show-more.tsx';
import { type Column, Table } from '../../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../../browser/components/tabs.tsx';
import { formatDay, formatNumber } from '../../../../../browser/data/format.ts';
import { moderationTexts as texts } from '../../../texts.ts';
import { toUrl } from '../../../view.ts';
import { countReports } from '../reports.ts';
import { open, view } from '../state.ts';
import { list, type ReportedRequest, shown } from './state.ts';

const Name = ({ request }: { readonly request: ReportedRequest }) => {
  const { id, title, ownerName, reports } = request;
  return (
    <span class="person">
      <span>
        <b title={title} dir="auto">
          <a
            href={toUrl({ ...view.value, open: id })}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              open(id);
            }}
          >
            {title}
          </a>
        </b>
        <span>
          {ownerName} · {countReports(reports)}
        </span>
      </span>
    </span>
  );
};

const columns: readonly Column<ReportedRequest>[] = [
  {
    id: 'name',
    title: texts.columns.name,
    isMain: true,
    cell: (request) => <Name request={request} />,
  },
  {
    id: 'reports',
    title: texts.columns.reports,
    class: 'num hide-d',
    cell: ({ reports }) => (
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

/** The reported requests, which are loaded when they are first shown. */
export const RequestRows = () => {
  useEffect(() => void list.load(1), []);
  return (
    <ListFrame
      list={list}
      shown={shown.value}
      empty={() => <Empty title={texts.noRequests} text={texts.noRequestsAbout} />}
    >
      {(rows) => (
        <>
          <Table
            caption={texts.requests}
            columns={columns}
            rows={rows}
            getKey={({ id }) => id}
            getName={({ title }) => title}
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
};
