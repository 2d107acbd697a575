import { useEffect, useRef } from 'preact/hooks';
import { encodePath } from '../../../../../../shared/share-files/addresses.ts';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { createHtmlFrame } from '../../../../browser/preview/html-frame.ts';
import { sandbox } from '../../../../browser/preview/sandbox.ts';
import { shareListTexts } from '../../../../browser/texts.ts';
import { moderationTexts as texts } from '../../texts.ts';
import { toUrl } from '../../view.ts';
import { Decide, Reason } from './deciding.tsx';
import { decide, decided } from './share-decisions.ts';
import { type Detail, detail, loadDetail, url } from './state.ts';

const frameUrl = document.getElementById('moderation')?.dataset['frame'] ?? '';

/** The content in the sandbox of the snippets host. */
const Text = ({ text }: { readonly text: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const frame = createHtmlFrame(place.current, frameUrl, texts.frame);
    frame.show(text);
    return frame.cancel;
  }, [text]);
  return <div class="framed" id="preview" ref={place} />;
};

/** The content; a page in HTML with its files and a picture alone, where moderators may see what is in them. */
const Content = ({ share }: { readonly share: Detail & { readonly content: string } }) => {
  const { content, html, files, main, filesUrl } = share;
  const file = files?.find(({ path }) => path === main);
  if (!file || filesUrl === undefined || !/^(text\/html$|image\/)/.test(file.type))
    return <Text text={html ?? content} />;
  const source = `${filesUrl}${encodePath(file.path)}`;
  return (
    <div class="framed" id="preview">
      <iframe title={texts.frame} src={source} sandbox={sandbox} referrerpolicy="no-referrer" />
    </div>
  );
};

/** The files of the share, which open where moderators may see what is in them. */
const Files = ({ share: { files, filesUrl } }: { readonly share: Detail }) =>
  files === undefined ? null : (
    <section aria-labelledby="files-title">
      <h3 id="files-title">{texts.files}</h3>
      <ul class="notes small">
        {files.map(({ path, size }) => (
          <li key={path}>
            {filesUrl === undefined ? (
              <bdi>{path}</bdi>
            ) : (
              <a href={`${filesUrl}${encodePath(path)}`} target="_blank" rel="noopener noreferrer">
                <bdi>{path}</bdi>
              </a>
            )}{' '}
            <span class="mute">{formatBytes(size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );

const Facts = ({ share }: { readonly share: Detail }) => {
  const { ownerId, ownerName, createdAt, status, audience, views, url: address } = share;
  const name = ownerName ?? texts.deletedUser;
  return (
    <dl class="facts">
      <div>
        <dt>{texts.owner}</dt>
        <dd>
          <a href={toUrl({ list: 'all', owner: ownerId, open: undefined })}>{name}</a>
        </dd>
      </div>
      <div>
        <dt>{texts.created}</dt>
        <dd>{formatTime(createdAt)}</dd>
      </div>
      <div>
        <dt>{texts.status}</dt>
        <dd>{status === 'active' ? texts.active : shareListTexts.statuses[status]}</dd>
      </div>
      <div>
        <dt>{texts.views}</dt>
        <dd>{formatNumber(views)}</dd>
      </div>
      {audience === 'link' && (
        <div>
          <dt>
            <a href={address}>{texts.openShare}</a>
          </dt>
        </div>
      )}
    </dl>
  );
};

const Reports = ({ reports }: { readonly reports: Detail['reportList'] }) => (
  <section aria-labelledby="reports-title">
    <h3 id="reports-title">{texts.reports}</h3>
    {reports.length === 0 && <p class="mute small">{texts.noReports}</p>}
    <ul class="notes">
      {reports.map(({ id, reason, createdAt, userId, userName }) => (
        <li key={id}>
          <p dir="auto">{reason}</p>
          <p class="tiny mute">
            {userId === null ? texts.byVisitor : (userName ?? texts.deletedUser)} ·{' '}
            {formatTime(createdAt)}
          </p>
        </li>
      ))}
    </ul>
  </section>
);

const History = ({ decisions }: { readonly decisions: Detail['decisions'] }) =>
  decisions.length === 0 ? null : (
    <section aria-labelledby="history-title">
      <h3 id="history-title">{texts.history}</h3>
      <ul class="notes">
        {decisions.map(({ id, decision, reason: written, createdAt, userName }) => (
          <li key={id}>
            <p>{texts.decidedBy(texts.decisions[decision], userName ?? texts.deletedUser)}</p>
            {written !== null && <p dir="auto">{written}</p>}
            <p class="tiny mute">{formatTime(createdAt)}</p>
          </li>
        ))}
      </ul>
    </section>
  );

/** Whether moderators aren't shown the content, rather than that it is gone. */
const isHidden = ({ audience, status }: Detail): boolean =>
  audience !== 'link' && status !== 'ended';

/** Says why there is no content to see. */
const explainNothing = (share: Detail): string => {
  if (share.status !== 'ended' && share.sealed) return texts.sealedContent;
  return isHidden(share) ? texts.hiddenContent : texts.noContent;
};

/** The open share: what it contains, who reported it and why, and the decision. */
export const Review = ({ id }: { readonly id: string }) => {
  const { data, failure } = detail.value ?? {};
  return (
    <Drawer
      title={data ? getShareName(data) : texts.content}
      onClose={() => url.close({ open: undefined })}
      footer={data && <Decide of={data} by={{ decided, decide }} />}
    >
      {failure && <Failure error={failure} again={() => loadDetail(id)} />}
      {!data && !failure && <Skeleton lines={5} />}
      {data && (
        <>
          {data.description && (
            <p class="sub" dir="auto">
              {data.description}
            </p>
          )}
          <Reports reports={data.reportList} />
          <section>
            <Reason />
          </section>
          <section aria-labelledby="content-title">
            <h3 id="content-title">{texts.content}</h3>
            {data.content === null ? (
              <p class="mute small">{explainNothing(data)}</p>
            ) : (
              <Content share={{ ...data, content: data.content }} />
            )}
          </section>
          <Files share={data} />
          <Facts share={data} />
          <History decisions={data.decisions} />
        </>
      )}
    </Drawer>
  );
};
