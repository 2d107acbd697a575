import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isWider } from '../../../../../../../shared/permissions/audiences.ts';
import { afterRendering } from '../../../../../browser/after-rendering.ts';
import { Avatar } from '../../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { toKeptLink } from '../../../../../browser/sealed/kept-link.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { formatAge } from '../../../../../browser/shell/relative-time.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import type { Share } from '../state.ts';
import { AddPeople } from './add-people.tsx';
import { listReaders, type Reader, removeReader } from './readers.ts';
import { saveReceipts } from './receipts-file.ts';
import { RecipientRow } from './recipient-row.tsx';
import { listRecipients } from './recipients.ts';

const about = {
  link: texts.anyone,
  members: texts.everyone,
  people: '',
  private: texts.onlyYou,
} as const;

const ReaderRow = ({ share, reader }: { readonly share: Share; readonly reader: Reader }) => {
  const { id, email, isNamed, lastOpenedAt } = reader;
  const name = reader.name ?? texts.deletedUser;
  const line = [
    lastOpenedAt === null ? texts.notOpened : texts.openedAgo(formatAge(lastOpenedAt)),
    ...(isNamed || share.audience !== 'people' ? [] : [texts.notNamed]),
    ...(email === null ? [] : [email]),
  ].join(' · ');
  const row = useRef<HTMLLIElement>(null);
  const remove = () => {
    // The focus stays among the people, or goes to the field that adds them.
    const buttons = [...(row.current?.parentElement?.querySelectorAll('li > button') ?? [])];
    const at = buttons.findIndex((button) => row.current?.contains(button));
    const next = buttons[at + 1] ?? buttons[at - 1] ?? document.querySelector('.addbox input');
    removeReader(share.id, { id, name });
    afterRendering(() => (next as HTMLElement | null)?.focus());
  };
  return (
    <li ref={row}>
      <Avatar name={name} />
      <span class="cut">
        <b class="cut" dir="auto" title={name}>
          {name}
        </b>
        <small class="cut" title={lastOpenedAt === null ? line : formatTime(lastOpenedAt)}>
          {line}
        </small>
      </span>
      {lastOpenedAt !== null && (
        <Badge kind="info" icon="eye">
          {texts.opened}
        </Badge>
      )}
      {isNamed && (
        <Menu
          label={texts.actionsFor(name)}
          items={[
            {
              label: texts.remove,
              icon: 'x',
              isBad: true,
              run: remove,
            },
          ]}
        />
      )}
    </li>
  );
};

/** Says who can open a share that isn't for chosen people, and leads to where that is changed. */
const Others = ({ share }: { readonly share: Share }) => (
  <p class="sub small mt0">
    {share.sealed && share.audience === 'link' ? texts.anyoneWithKey : about[share.audience]}{' '}
    {share.status === 'active' && (
      <a href={toKeptLink(share, `/?edit=${share.id}`)}>{texts.change}</a>
    )}
  </p>
);

/** Returns why nobody can be added to a share; `undefined` if someone can. */
const explainClosed = ({ status }: Share): string | undefined => {
  if (status !== 'active') return texts.endedAbout;
  return isWider('people', signedIn?.audience.max ?? 'link') ? texts.tooWide : undefined;
};

/** Who can open a share, who has opened it, and who else may. */
export const People = ({ share }: { readonly share: Share }) => {
  const { id, audience } = share;
  const receipts = useMemo(
    () => createSource(() => api.call('GET /api/share/{id}/receipts', { params: { id } })),
    [],
  );
  useEffect(() => void receipts.load(), []);
  const named = listReaders(share);
  const isForPeople = audience === 'people' && named.length > 0;
  const whyClosed = explainClosed(share);
  return (
    <>
      {!isForPeople && (
        <Others share={{ ...share, ...(audience === 'people' && { audience: 'private' }) }} />
      )}
      {whyClosed && <p class="hint">{whyClosed}</p>}
      <Loaded source={receipts} lines={3}>
        {({ readers, links }) => {
          const recipients = listRecipients(links);
          const shown = readers.filter(
            ({ id: reader, isNamed }) => !isNamed || named.includes(reader),
          );
          return (
            <>
              {whyClosed === undefined && (
                <AddPeople share={share} recipients={recipients} reload={receipts.load} />
              )}
              <ul class="readers" aria-label={texts.people}>
                {shown.map((reader) => (
                  <ReaderRow key={reader.id} share={share} reader={reader} />
                ))}
                {recipients.map((recipient) => (
                  <RecipientRow
                    key={recipient.id}
                    share={share}
                    recipient={recipient}
                    reload={receipts.load}
                  />
                ))}
              </ul>
              {shown.length + recipients.length > 0 && (
                <Button
                  size="sm"
                  kind="ghost"
                  icon="load"
                  onClick={() => saveReceipts(shown, recipients)}
                >
                  {texts.receipts.download}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
};
