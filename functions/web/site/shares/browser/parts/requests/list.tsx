import { useEffect } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Empty } from '../../../../../browser/components/empty.tsx';
import { Icon } from '../../../../../browser/components/icon.tsx';
import { lazily } from '../../../../../browser/components/lazily.tsx';
import { ListFrame } from '../../../../../browser/components/list-frame.tsx';
import { ShowMore } from '../../../../../browser/components/show-more.tsx';
import { type Column, Table } from '../../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../../browser/components/tabs.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { formatAge } from '../../../../../browser/shell/relative-time.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { requestTexts as texts } from '../../../request-texts.ts';
import { toUrl } from '../../../view.ts';
import { describeTime } from '../end.ts';
import { url } from '../state.ts';
import { Whose } from '../tools.tsx';
import { edit, listActions } from './actions.ts';
import { list, open, type ShareRequest, shown } from './state.ts';
import { describeReceived, Status } from './status.tsx';

const RequestDrawer = lazily(async () => (await import('./drawer.tsx')).RequestDrawer);

const Name = ({ request }: { readonly request: ShareRequest }) => {
  const { id, title, createdAt, protected: isProtected } = request;
  const about = [
    ...(isProtected ? [texts.protected] : []),
    texts.created(formatAge(createdAt)),
  ].join(' · ');
  return (
    <span class="person">
      <span class="kind b">
        <Icon name="mail" />
      </span>
      <span>
        <b title={title} dir="auto">
          <a
            href={toUrl({ ...url.view.value, open: id })}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              open(request);
            }}
          >
            {title}
          </a>
        </b>
        <span title={about}>
          <span class="only-s">{describeReceived(request)} · </span>
          {about}
        </span>
      </span>
    </span>
  );
};

const columns: readonly Column<ShareRequest>[] = [
  {
    id: 'title',
    title: texts.columns.title,
    isMain: true,
    cell: (request) => <Name request={request} />,
  },
  {
    id: 'received',
    title: texts.columns.received,
    class: 'sub num w-n',
    cell: describeReceived,
  },
  {
    id: 'status',
    title: texts.columns.status,
    class: 'status w-st',
    cell: (request) => <Status request={request} />,
  },
  {
    id: 'ends',
    title: texts.columns.ends,
    class: 'sub num hide-d w-d',
    cell: ({ expiresAt, status }) => (
      <span title={formatTime(expiresAt)}>{describeTime(expiresAt, status !== 'open')}</span>
    ),
  },
];

const Ask = ({ isMain = false }: { readonly isMain?: boolean }) => (
  <Button
    icon="plus"
    {...(isMain && { kind: 'primary' })}
    whyDisabled={signedIn?.audience.max === 'link' ? undefined : texts.tooWide}
    onClick={() => edit()}
  >
    {texts.ask}
  </Button>
);

const Rows = () => (
  <ListFrame
    list={list}
    shown={shown.value}
    hasAvatars
    empty={() => <Empty title={texts.none} text={texts.noneAbout} action={<Ask isMain />} />}
  >
    {(rows) => (
      <>
        <Table
          caption={texts.list}
          columns={columns}
          rows={rows}
          getKey={({ id }) => id}
          getName={({ title }) => title}
          onOpen={open}
          openKey={url.view.value.open}
          actions={listActions}
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

/** What the user asks others for, with one request beside. */
export const ShareRequests = () => {
  const { open: id } = url.view.value;
  useEffect(() => void list.load(1), []);
  return (
    <div class={id === undefined ? undefined : 'split'}>
      <div>
        <div class="tools">
          <Whose />
          {shown.value !== undefined && shown.value.length > 0 && (
            <span class="end">
              <Ask />
            </span>
          )}
        </div>
        <Rows />
      </div>
      {id !== undefined && <RequestDrawer key={id} id={id} />}
    </div>
  );
};
