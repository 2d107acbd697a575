import { getActionText } from '../../../../../../shared/audit/action-texts.ts';
import { Person } from '../../../../browser/components/avatar.tsx';
import { Empty, NoResults } from '../../../../browser/components/empty.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { ListFrame } from '../../../../browser/components/list-frame.tsx';
import { ShowMore } from '../../../../browser/components/show-more.tsx';
import { type Column, Table } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { formatTime } from '../../../../browser/data/format.ts';
import { auditTexts as texts } from '../../texts.ts';
import { isFiltered, noFilter, toUrl } from '../../view.ts';
import { Filters } from './filters.tsx';
import { type Entry, getActorName, getKey, list, url, view } from './state.ts';

const open = (entry: Entry) =>
  url.change({ open: getKey(entry) }, view.value.open === undefined ? 'push' : 'replace');

const What = ({ entry }: { readonly entry: Entry }) => {
  const { action, subject, subjectName } = entry;
  const key = getKey(entry);
  const name = subjectName ?? subject;
  return (
    <span class="person">
      <span>
        <b>
          <a
            href={toUrl({ ...view.value, open: key })}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              open(entry);
            }}
          >
            {getActionText(action)}
          </a>
        </b>
        <span title={name} dir="auto">
          <span class="who">{getActorName(entry)} · </span>
          {name}
        </span>
      </span>
    </span>
  );
};

const columns: readonly Column<Entry>[] = [
  {
    id: 'what',
    title: texts.columns.what,
    isMain: true,
    cell: (entry) => <What entry={entry} />,
  },
  {
    id: 'who',
    title: texts.columns.who,
    class: 'hide-d hide-s',
    cell: (entry) =>
      entry.actor?.name == null ? (
        <span class="mute">{getActorName(entry)}</span>
      ) : (
        <Person name={entry.actor.name} size="s" />
      ),
  },
  {
    id: 'when',
    title: texts.columns.when,
    class: 'sub num',
    cell: ({ at }) => formatTime(at),
  },
];

const Nothing = () =>
  isFiltered(view.value) ? (
    <NoResults text={texts.noMatch} clear={() => url.change(noFilter)} />
  ) : (
    <Empty title={texts.none} text={texts.noneAbout} />
  );

const Rows = () => (
  <ListFrame list={list} empty={() => <Nothing />}>
    {(rows) => (
      <>
        <Table
          caption={texts.list}
          columns={columns}
          rows={rows}
          getKey={getKey}
          getName={({ action }) => getActionText(action)}
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

const EntryDrawer = lazily(async () => (await import('./entry-drawer.tsx')).EntryDrawer);

/** The audit log: what was changed, by whom and when. */
export const AuditLog = () => {
  const { open: key } = view.value;
  return (
    <div class={key === undefined ? undefined : 'split'}>
      <div>
        <Filters />
        <Rows />
      </div>
      {key !== undefined && <EntryDrawer key={key} entryKey={key} />}
    </div>
  );
};
