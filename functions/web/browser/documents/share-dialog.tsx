import '../record-page.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog, openDialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { formatList, formatNumber } from '../data/format.ts';
import { createSource } from '../data/source.ts';
import { directory, type FoundPerson, isYourself } from '../people/directory.ts';
import { PersonSearch } from '../people/person-search.tsx';
import { api } from '../shell/api.ts';
import {
  AccessList,
  Choice,
  type OpenTo,
  type Reader,
  type Role,
  toOpenTo,
} from './access-list.tsx';
import { changeDocument, DocumentConflict, type DocumentSummary } from './document.ts';
import { shareTexts as texts } from './share-texts.ts';

/** The service shares a document with no more. */
const maxReaders = 20;

interface ShareDialogProps {
  readonly document: DocumentSummary;
  readonly close: () => void;
  /** Called with the document after each change, whose version is another. */
  readonly onChange: (document: DocumentSummary) => unknown;
  /** Makes a page of the document, where its content is at hand. */
  readonly publish?: (() => unknown) | undefined;
}

/** What was done, and how to undo it. */
interface Done {
  readonly text: string;
  readonly undo?: () => Promise<unknown>;
}

/** The state of the dialog, and what it sends. */
const useSharing = ({ document: initial, onChange }: ShareDialogProps) => {
  const params = { id: initial.id };
  const current = useSignal(initial);
  const readers = useMemo(
    () => createSource(() => api.call('GET /api/documents/{id}/readers', { params })),
    [],
  );
  const busyWith = useSignal<number | undefined>(undefined);
  const done = useSignal<Done>({ text: '' });
  const failure = useSignal<string | undefined>(undefined);
  useEffect(() => void readers.load(), []);

  const show = (next: DocumentSummary) => {
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
      if (error instanceof DocumentConflict) show(error.current);
      failure.value = (error as Error).message;
      return false;
    } finally {
      busyWith.value = undefined;
    }
  };
  const give = async (userIds: readonly number[], role: Role) => {
    const body = { userIds: [...userIds], role };
    show(await api.call('POST /api/documents/{id}/share', { params, body }));
    // It says the name of someone who was found by address.
    await readers.load();
  };
  const remove = async ({ id }: Reader) => {
    const body = { userIds: [id] };
    show(await api.call('POST /api/documents/{id}/unshare', { params, body }));
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
    const undo = () => setOpenTo(toOpenTo(before));
    const change =
      openTo === 'none'
        ? { visibility: 'private' as const }
        : { visibility: 'everyone' as const, everyoneRole: openTo };
    return run(0, { text: texts.openTo[openTo], undo }, async () =>
      show(await changeDocument(before, change)),
    );
  };
  // A toast would be behind the dialog.
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}/documents/${initial.id}`);
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

const ShareDialog = (props: ShareDialogProps) => {
  const { document: initial, close, publish } = props;
  const sharing = useSharing(props);
  const { readers, busyWith, done, failure } = sharing;
  const chosen = useSignal<readonly FoundPerson[]>([]);
  const role = useSignal<Role>('reader');
  const isYours = isYourself({ id: initial.author_id, name: initial.author.name });

  const explain = (user: FoundPerson) => {
    if (user.id === initial.author_id) return isYours ?? texts.owner;
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
    <Dialog title={texts.shareTitle(initial.title)} onClose={close} class="wide">
      <Loaded source={readers} lines={4}>
        {(known) => (
          <>
            <div class="add">
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
                  <Choice
                    class="in pick"
                    label={texts.theyCan}
                    value={role.value}
                    options={texts.roles}
                    onChoose={(next) => {
                      role.value = next;
                    }}
                  />
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
              owner={isYours ?? initial.author.name}
              ownerName={initial.author.name}
              readers={known}
              openTo={toOpenTo(sharing.current.value)}
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

/** Opens the dialog that shows and changes who can read and edit a document, for those who may manage it. */
export const openShareDialog = (
  document: DocumentSummary,
  onChange: (document: DocumentSummary) => unknown,
  publish?: () => unknown,
): void =>
  openDialog((close) => (
    <ShareDialog document={document} close={close} onChange={onChange} publish={publish} />
  ));
