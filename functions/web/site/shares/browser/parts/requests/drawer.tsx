import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Drawer } from '../../../../../browser/components/drawer.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { getShareName } from '../../../../../browser/data/share-name.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { formatAge } from '../../../../../browser/shell/relative-time.ts';
import { shareListTexts } from '../../../../../browser/texts.ts';
import { requestTexts as texts } from '../../../request-texts.ts';
import { Facts } from '../drawer/facts.tsx';
import { url } from '../state.ts';
import { copyLink, edit, listActions } from './actions.ts';
import { list, opened, type RequestDetail, update } from './state.ts';
import { describeReceived, Status } from './status.tsx';

const close = () => url.close({ open: undefined });

const Submission = ({ one }: { readonly one: RequestDetail['submitted'][number] }) => {
  const { receipt, submittedAt, share } = one;
  return (
    <li>
      <div class="grow">
        <p dir="auto">
          {share ? (
            <a href={share.url}>{getShareName(share)}</a>
          ) : (
            <span class="mute">{texts.deletedShare}</span>
          )}
        </p>
        {share?.submittedBy != null && (
          <p class="small" dir="auto">
            {shareListTexts.fromOutside(share.submittedBy)}
          </p>
        )}
        <p class="small mute" title={formatTime(submittedAt)}>
          {texts.receipt(receipt, formatAge(submittedAt))}
        </p>
      </div>
    </li>
  );
};

const Details = ({ request }: { readonly request: RequestDetail }) => {
  const { facts } = texts;
  const { url: href, note, createdAt, expiresAt, protected: isProtected, submitted } = request;
  return (
    <>
      {note !== null && (
        <p class="asked" dir="auto">
          {note}
        </p>
      )}
      <Facts
        rows={[
          [facts.status, <Status key="status" request={request} />],
          [facts.received, describeReceived(request)],
          [facts.ends, formatTime(expiresAt)],
          [facts.password, isProtected ? texts.hasPassword : texts.noPassword],
          [facts.created, formatTime(createdAt)],
          [facts.link, href.replace(/^https?:\/\//, '')],
        ]}
      />
      <h3>{texts.submissions}</h3>
      {submitted.length === 0 ? (
        <p class="small mute">{texts.noSubmissions}</p>
      ) : (
        <ul class="links handed" aria-label={texts.submissions}>
          {submitted.map((one) => (
            <Submission key={one.receipt} one={one} />
          ))}
        </ul>
      )}
    </>
  );
};

/** What a drawer of the same request has already. */
const ofDrawer: readonly string[] = [texts.copyLink, texts.edit];

const Footer = ({ request }: { readonly request: RequestDetail }) => {
  const { status } = request;
  return (
    <>
      {status === 'open' && (
        <Button kind="primary" icon="link" onClick={() => copyLink(request)}>
          {texts.copyLink}
        </Button>
      )}
      {status !== 'taken-down' && (
        <Button icon="pen" onClick={() => edit(request)}>
          {texts.edit}
        </Button>
      )}
      <span class="end">
        <Menu
          label={texts.more}
          items={listActions(request).filter(({ label }) => !ofDrawer.includes(label))}
          isLarge
        />
      </span>
    </>
  );
};

/** Shows a request beside the list: what is asked for until when, and what was handed in. */
export const RequestDrawer = ({ id }: { readonly id: string }) => {
  const source = useMemo(
    () =>
      createSource(async () => {
        const request = await api.call('GET /api/share/requests/{id}', { params: { id } });
        opened.value = request;
        update(request);
        return request;
      }),
    [id],
  );
  useEffect(() => void source.load(), [id]);
  const request = opened.value?.id === id ? opened.value : undefined;
  const known = request ?? list.items.value?.find((one) => one.id === id);
  return (
    <Drawer
      title={known?.title ?? texts.request}
      footer={request && <Footer request={request} />}
      onClose={close}
    >
      <Loaded source={source} lines={6}>
        {(loaded) => <Details request={request ?? loaded} />}
      </Loaded>
    </Drawer>
  );
};
