import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isWider, maxReaders } from '../../../../../../../shared/permissions/audiences.ts';
import { Avatar } from '../../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { formatList, formatNumber, formatTime } from '../../../../../browser/data/format.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { type FoundPerson, isYourself } from '../../../../../browser/people/directory.ts';
import { PersonSearch } from '../../../../../browser/people/person-search.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { formatAge } from '../../../../../browser/shell/relative-time.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import type { Share } from '../state.ts';
import { changeReaders, listReaders, type Reader, removeReader } from './readers.ts';

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
    setTimeout(() => (next as HTMLElement | null)?.focus());
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

interface AddProps {
  readonly share: Share;
  readonly reload: () => Promise<unknown>;
}

/** Finds people and shares with them. */
const Add = ({ share, reload }: AddProps) => {
  const { id, readers } = share;
  const chosen = useSignal<readonly FoundPerson[]>([]);
  const isBusy = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const { length } = chosen.value;
  const explain = (person: FoundPerson) =>
    isYourself(person) ?? (readers.includes(person.id) ? texts.added : undefined);
  const add = async () => {
    isBusy.value = true;
    failure.value = undefined;
    const people = chosen.value;
    try {
      await changeReaders(id, (known) => [...new Set([...known, ...people.map((one) => one.id)])]);
      chosen.value = [];
      toast({ text: texts.wasAdded(formatList(people.map(({ name }) => name))) });
      await reload();
    } catch (error) {
      failure.value = (error as Error).message;
    }
    isBusy.value = false;
  };
  return (
    <div class="addbox">
      <PersonSearch
        label={texts.add}
        hint={texts.addHint}
        chosen={chosen.value}
        room={maxReaders - readers.length - length}
        full={texts.full(formatNumber(maxReaders))}
        whyNot={explain}
        onAdd={(people) => {
          chosen.value = [...chosen.value, ...people];
        }}
        onRemove={(person) => {
          chosen.value = chosen.value.filter((one) => one !== person);
        }}
      />
      {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
      {length > 0 && (
        <Button kind="primary" size="sm" class="wide" isBusy={isBusy.value} onClick={add}>
          {texts.addSome(length)}
        </Button>
      )}
    </div>
  );
};

/** Says who can open a share that isn't for chosen people, and leads to where that is changed. */
const Others = ({ share }: { readonly share: Share }) => (
  <p class="sub small mt0">
    {about[share.audience]}{' '}
    {share.status === 'active' && <a href={`/?edit=${share.id}`}>{texts.change}</a>}
  </p>
);

/** Returns why nobody can be added to a share; `undefined` if someone can. */
const explainClosed = ({ status, audience }: Share): string | undefined => {
  if (status !== 'active') return texts.endedAbout;
  if (audience === 'link' || audience === 'members') return '';
  return isWider('people', signedIn?.audience.max ?? 'link') ? texts.tooWide : undefined;
};

/** Who can open a share, who has opened it, and who else may. */
export const People = ({ share }: { readonly share: Share }) => {
  const { id, audience } = share;
  const receipts = useMemo(
    () =>
      createSource(
        async () => (await api.call('GET /api/share/{id}/receipts', { params: { id } })).readers,
      ),
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
      {whyClosed === undefined && <Add share={share} reload={receipts.load} />}
      {whyClosed && <p class="hint">{whyClosed}</p>}
      <Loaded source={receipts} lines={3}>
        {(readers) => (
          <ul class="readers" aria-label={texts.people}>
            {readers
              .filter((reader) => !reader.isNamed || named.includes(reader.id))
              .map((reader) => (
                <ReaderRow key={reader.id} share={share} reader={reader} />
              ))}
          </ul>
        )}
      </Loaded>
    </>
  );
};
