import '../record-page.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Data } from '../client/endpoints.ts';
import { Avatar } from '../components/avatar.tsx';
import { Button } from '../components/button.tsx';
import { Dialog, openDialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { formatList, formatNumber } from '../data/format.ts';
import { createSource } from '../data/source.ts';
import { type FoundPerson, isYourself } from '../people/directory.ts';
import { PersonSearch } from '../people/person-search.tsx';
import { api } from '../shell/api.ts';
import { changeDocument, DocumentConflict, type DocumentSummary } from './document.ts';
import { documentTexts as texts } from './texts.ts';

type Reader = Data<'GET /api/documents/{id}/readers'>[number];
type Visibility = DocumentSummary['visibility'];

/** The service shares a document with no more. */
const maxReaders = 20;
const visibilities = ['private', 'everyone'] as const;

interface ShareDialogProps {
  readonly document: DocumentSummary;
  readonly close: () => void;
  /** Called with the document after each change, whose version is another. */
  readonly onChange: (document: DocumentSummary) => unknown;
}

interface AccessProps {
  readonly value: Visibility;
  readonly onChange: (visibility: Visibility) => unknown;
}

const Access = ({ value, onChange }: AccessProps) => (
  <fieldset class="access">
    <legend class="label">{texts.access}</legend>
    {visibilities.map((visibility) => (
      <label key={visibility} class="opt">
        <input
          type="radio"
          name="visibility"
          checked={visibility === value}
          onChange={() => onChange(visibility)}
        />
        {texts.visibilities[visibility]}
      </label>
    ))}
  </fieldset>
);

interface ReadersProps {
  readonly readers: readonly Reader[];
  readonly busyWith: number | undefined;
  readonly takeAway: (reader: Reader) => unknown;
}

const Readers = ({ readers, busyWith, takeAway }: ReadersProps) =>
  readers.length === 0 ? (
    <p class="mute small mt0">{texts.notShared}</p>
  ) : (
    <ul class="readers" aria-label={texts.people}>
      {readers.map((reader) => (
        <li key={reader.id}>
          <Avatar name={reader.name} size="s" />
          <span class="cut grow" dir="auto" title={reader.name}>
            {reader.name}
          </span>
          <Button
            kind="ghost"
            size="sm"
            icon="x"
            label={texts.takeAway(reader.name)}
            isBusy={busyWith === reader.id}
            onClick={() => takeAway(reader)}
          />
        </li>
      ))}
    </ul>
  );

const ShareDialog = ({ document: initial, close, onChange }: ShareDialogProps) => {
  const { id, title } = initial;
  const params = { id };
  const current = useSignal(initial);
  const readers = useMemo(
    () => createSource(() => api.call('GET /api/documents/{id}/readers', { params })),
    [],
  );
  const busyWith = useSignal<number | undefined>(undefined);
  const status = useSignal('');
  const failure = useSignal<string | undefined>(undefined);
  useEffect(() => void readers.load(), []);

  const show = (next: DocumentSummary) => {
    current.value = next;
    onChange(next);
  };
  /** Says what was done, or why it couldn’t be. */
  const run = async (done: string, task: () => Promise<unknown>) => {
    failure.value = undefined;
    status.value = '';
    try {
      await task();
      status.value = done;
    } catch (error) {
      if (error instanceof DocumentConflict) show(error.current);
      failure.value = (error as Error).message;
    }
  };
  const add = (people: readonly FoundPerson[]) =>
    run(texts.sharedWith(formatList(people.map(({ name }) => name))), async () => {
      const body = { userIds: people.map((person) => person.id) };
      show(await api.call('POST /api/documents/{id}/share', { params, body }));
      // It says the name of someone who was found by address.
      await readers.load();
    });
  const takeAway = async (reader: Reader) => {
    busyWith.value = reader.id;
    await run(texts.takenAway(reader.name), async () => {
      const body = { userIds: [reader.id] };
      show(await api.call('POST /api/documents/{id}/unshare', { params, body }));
      readers.data.value = readers.data.value?.filter((one) => one !== reader);
    });
    busyWith.value = undefined;
  };
  const setVisibility = (visibility: Visibility) =>
    run(visibility === 'everyone' ? texts.everyoneReads : texts.onlyReadersRead, async () => {
      const before = current.value;
      current.value = { ...before, visibility };
      try {
        show(await changeDocument(before, { visibility }));
      } catch (error) {
        current.value = before;
        throw error;
      }
    });
  // A toast would be behind the dialog.
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(`${location.origin}/documents/${id}`);
      status.value = texts.copied;
    } catch {
      failure.value = texts.notCopied;
    }
  };
  const explain = (user: FoundPerson) => {
    if (user.id === initial.author_id) return isYourself(user) ?? texts.owner;
    return readers.data.value?.some((one) => one.id === user.id) ? texts.added : undefined;
  };

  return (
    <Dialog title={texts.shareTitle(title)} onClose={close}>
      <Access value={current.value.visibility} onChange={setVisibility} />
      <Loaded source={readers} lines={2}>
        {(known) => (
          <>
            <PersonSearch
              label={texts.people}
              hint={texts.searchHint}
              room={maxReaders - known.length}
              full={texts.full(formatNumber(maxReaders))}
              whyNot={explain}
              onAdd={add}
            />
            <Readers readers={known} busyWith={busyWith.value} takeAway={takeAway} />
          </>
        )}
      </Loaded>
      {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
      <p class="small mute shared" role="status">
        {status.value}
      </p>
      <div class="acts">
        <Button icon="link" onClick={copyLink}>
          {texts.copyLink}
        </Button>
        <Button kind="primary" onClick={close}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  );
};

/** Opens the dialog that shows and changes who can read a document. It needs `documents:update`. */
export const openShareDialog = (
  document: DocumentSummary,
  onChange: (document: DocumentSummary) => unknown,
): void =>
  openDialog((close) => <ShareDialog document={document} close={close} onChange={onChange} />);
