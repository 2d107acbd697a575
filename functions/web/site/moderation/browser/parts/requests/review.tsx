import { Drawer } from '../../../../../browser/components/drawer.tsx';
import { Skeleton } from '../../../../../browser/components/skeleton.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { requestStatusTexts } from '../../../../../browser/texts.ts';
import { moderationTexts as texts } from '../../../texts.ts';
import { toUrl } from '../../../view.ts';
import { Decide, Reason } from '../deciding.tsx';
import { url } from '../state.ts';
import { decide, decided, list, opened, type ReportedRequest } from './state.ts';

const Parts = ({ request }: { readonly request: ReportedRequest }) => {
  const { note, reportList, ownerId, ownerName, createdAt, status, url: address } = request;
  return (
    <>
      <section aria-labelledby="reports-title">
        <h3 id="reports-title">{texts.reports}</h3>
        <ul class="notes">
          {reportList.map(({ reason, createdAt: at }) => (
            <li key={`${at}${reason}`}>
              <p dir="auto">{reason}</p>
              <p class="tiny mute">
                {texts.byVisitor} · {formatTime(at)}
              </p>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <Reason />
      </section>
      <section aria-labelledby="content-title" class="notes">
        <h3 id="content-title">{texts.asks}</h3>
        <p dir="auto">{note ?? texts.noNote}</p>
      </section>
      <dl class="facts">
        <div>
          <dt>{texts.owner}</dt>
          <dd>
            <a href={toUrl({ list: 'all', owner: ownerId, open: undefined })}>{ownerName}</a>
          </dd>
        </div>
        <div>
          <dt>{texts.created}</dt>
          <dd>{formatTime(createdAt)}</dd>
        </div>
        <div>
          <dt>{texts.status}</dt>
          <dd>{requestStatusTexts[status]}</dd>
        </div>
        {status === 'open' && (
          <div>
            <dt>
              <a href={address}>{texts.openRequest}</a>
            </dt>
          </div>
        )}
      </dl>
    </>
  );
};

/** The open request: who reported it and why, what it asks for, and the decision. */
export const RequestReview = () => {
  const request = opened.value;
  const isLoading = list.items.value === undefined && list.failure.value === undefined;
  return (
    <Drawer
      title={request?.title ?? texts.request}
      onClose={() => url.close({ open: undefined })}
      footer={request && <Decide of={request} by={{ decided, decide }} />}
    >
      {request && <Parts request={request} />}
      {!request && isLoading && <Skeleton lines={5} />}
      {!request && !isLoading && <p class="mute small">{texts.requestSettled}</p>}
    </Drawer>
  );
};
