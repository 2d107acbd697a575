import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog, openDialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { formatList, formatNumber } from '../data/format.ts';
import { createSource } from '../data/source.ts';
import { directory, type FoundPerson, isYourself } from '../people/directory.ts';
import { PersonSearch } from '../people/person-search.tsx';
import { AccessList, Choice, type OpenTo, type Reader, type Role } from './access-list.tsx';
import css from './share-dialog.css?text';
import { sharingTexts as texts } from './texts.ts';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

/** The service shares a record with no more. */
const maxReaders = 20;

/** A kind of records that are shared with people, such as documents. */
export interface SharingKind<Stored> {
  /** What the dialog shows of a record. `address` is the path of its page. */
  describe(record: Stored): {
    readonly name: string;
    readonly owner: { readonly id: number; readonly name: string };
    readonly address: string;
  };
  /** What readers, and everyone, can be given, by its name. */
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  readonly texts: {
    readonly everyoneAbout: string;
    /** What it says once everyone has this access. */
    readonly openTo: Readonly<Partial<Record<OpenTo, string>>>;
  };
  readReaders(record: Stored): Promise<readonly Reader[]>;
  share(record: Stored, userIds: number[], role: Role): Promise<Stored>;
  unshare(record: Stored, userIds: number[]): Promise<Stored>;
  getOpenTo(record: Stored): OpenTo;
  setOpenTo(record: Stored, openTo: OpenTo): Promise<Stored>;
  /** Returns the record as it is stored, if an error is that someone else has changed it. */
  getCurrent?(error: unknown): Stored | undefined;
}

interface ShareDialogProps<Stored> {
  readonly kind: SharingKind<Stored>;
  readonly record: Stored;
  readonly close: () => void;
  /** Called with the record after each change, whose version is another. */
  readonly onChange: (record: Stored) => unknown;
  /** Makes a page of the record, where its content is at hand. */
  readonly publish?: (() => unknown) | undefined;
}

/** What was done, and how to undo it. */
interface Done {
  readonly text: string;
  readonly undo?: () => Promise<unknown>;
}

/** The state of the dialog, and what it sends. */
const useSharing = <Stored,>({ kind, record: initial, onChange }: ShareDialogProps<Stored>) => {
  const current = useSignal(initial);
  const readers = useMemo(() => createSource(() => kind.readReaders(initial)), []);
  const busyWith = useSignal<number | undefined>(undefined);
  const done = useSignal<Done>({ text: '' });
  const failure = useSignal<string | undefined>(undefined);
  useEffect(() => void readers.load(), []);

  const show = (next: Stored) => {
    current.value = next;
    onChange(next);
  };
  /** Says what was done, or why it couldn’t be. Returns whether it was. */
  const run = async (subject: number, next: Done, task: () => Promise<unknown>) => {
    failure.value = undefined;
    done.value = { text: '' };
    busyWith.value = subject;
    try {
      await task();
      done.value = next;
      return true;
    } catch (error) {
      const stored = kind.getCurrent?.(error);
      if (stored) show(stored);
      failure.value = (error as Error).message;
      return false;
    } finally {
      busyWith.value = undefined;
    }
  };
  const give = async (userIds: readonly number[], role: Role) => {
    show(await kind.share(current.value, [...userIds], role));
    // It says the name of someone who was found by address.
    await readers.load();
  };
  const remove = async ({ id }: Reader) => {
    show(await kind.unshare(current.value, [id]));
    readers.data.value = readers.data.value?.filter((one) => one.id !== id);
  };
  /** Gives a reader a role, or none, and offers the one before. */
  const setRole = (reader: Reader, role: Role | undefined): Promise<unknown> => {
    const { id, name, role: before } = reader;
    const undo = async () => setRole({ ...reader, role: role ?? before }, before);
    const text = role === undefined ? texts.removed(name) : texts.given[role](name);
    const task = () => (role === undefined ? remove(reader) : give([id], role));
    return run(id, { text, undo }, task);
  };
  /** Gives everyone a role, or none, and offers the one before. */
  const setOpenTo = (openTo: OpenTo): Promise<unknown> => {
    const before = current.value;
    const undo = () => setOpenTo(kind.getOpenTo(before));
    return run(0, { text: kind.texts.openTo[openTo] ?? '', undo }, async () =>
      show(await kind.setOpenTo(before, openTo)),
    );
  };
  // A toast would be behind the dialog.
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}${kind.describe(initial).address}`);
      done.value = { text: texts.copied };
    } catch {
      failure.value = texts.notCopied;
    }
  };
  const add = (people: readonly FoundPerson[], role: Role) => {
    const text = texts.sharedWith(formatList(people.map(({ name }) => name)));
    const ids = people.map(({ id }) => id);
    return run(-1, { text }, () => give(ids, role));
  };
  return { current, readers, busyWith, done, failure, add, setRole, setOpenTo, copyLink };
};

/** Moves the focus to the first field of a place once it is there, unless it was moved before. */
const useFirstField = (isThere: boolean) => {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (!isThere) before.current = document.activeElement;
    else if (document.activeElement === before.current)
      place.current?.querySelector('input')?.focus();
  }, [isThere]);
  return place;
};

const ShareDialog = <Stored,>(props: ShareDialogProps<Stored>) => {
  const { kind, record, close, publish } = props;
  const { name, owner } = kind.describe(record);
  const sharing = useSharing(props);
  const { readers, busyWith, done, failure } = sharing;
  const add = useFirstField(readers.data.value !== undefined);
  const chosen = useSignal<readonly FoundPerson[]>([]);
  const role = useSignal<Role>('reader');
  const isYours = isYourself(owner);
  const hasRoles = kind.roles.editor !== undefined;

  const explain = (user: FoundPerson) => {
    if (user.id === owner.id) return isYours ?? texts.owner;
    return readers.data.value?.some((one) => one.id === user.id) ? texts.added : undefined;
  };
  const share = async () => {
    if (await sharing.add(chosen.value, role.value)) chosen.value = [];
  };
  const finish = () => {
    if (chosen.value.length === 0) close();
    else {
      failure.value = texts.notSharedYet(formatList(chosen.value.map(({ name }) => name)));
    }
  };
  const undo = done.value.undo;
  return (
    <Dialog title={texts.shareTitle(name)} onClose={close} class="wide">
      <Loaded source={readers} lines={4}>
        {(known) => (
          <>
            <div class="add" ref={add}>
              <PersonSearch
                label={texts.people}
                hint={texts.searchHint}
                chosen={chosen.value}
                room={maxReaders - known.length - chosen.value.length}
                full={texts.full(formatNumber(maxReaders))}
                whyNot={explain}
                onAdd={(people) => {
                  chosen.value = [...chosen.value, ...people];
                }}
                onRemove={(person) => {
                  chosen.value = chosen.value.filter((one) => one !== person);
                }}
              />
              {directory && (
                <>
                  {hasRoles && (
                    <Choice
                      class="in pick"
                      label={texts.theyCan}
                      value={role.value}
                      options={kind.roles}
                      onChoose={(next) => {
                        role.value = next;
                      }}
                    />
                  )}
                  <Button
                    kind="primary"
                    isBusy={busyWith.value === -1}
                    whyDisabled={chosen.value.length === 0 ? texts.nobodyChosen : undefined}
                    onClick={share}
                  >
                    {texts.share}
                  </Button>
                </>
              )}
            </div>
            <h3>{texts.access}</h3>
            <AccessList
              owner={isYours ?? owner.name}
              ownerName={owner.name}
              readers={known}
              roles={kind.roles}
              everyoneAbout={kind.texts.everyoneAbout}
              openTo={kind.getOpenTo(sharing.current.value)}
              busyWith={busyWith.value}
              onRole={sharing.setRole}
              onOpenTo={sharing.setOpenTo}
            />
          </>
        )}
      </Loaded>
      {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
      <div class="shared small">
        <span role="status">{done.value.text}</span>
        {undo && (
          <Button kind="ghost" size="sm" icon="undo" onClick={undo}>
            {texts.undo}
          </Button>
        )}
      </div>
      <div class="acts">
        <Button icon="link" onClick={sharing.copyLink}>
          {texts.copyLink}
        </Button>
        {publish && (
          <Button
            kind="ghost"
            icon="share"
            onClick={() => {
              close();
              publish();
            }}
          >
            {texts.publish}
          </Button>
        )}
        <span class="grow" />
        <Button onClick={finish}>{texts.done}</Button>
      </div>
    </Dialog>
  );
};

/** Opens the dialog that shows and changes who can read a record, for those who may manage it. */
export const openShareDialog = <Stored,>(
  kind: SharingKind<Stored>,
  record: Stored,
  onChange: (record: Stored) => unknown,
  publish?: () => unknown,
): void =>
  openDialog((close) => (
    <ShareDialog kind={kind} record={record} close={close} onChange={onChange} publish={publish} />
  ));
