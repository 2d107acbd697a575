import { type ReadonlySignal, signal } from '@preact/signals';
import { openDialog } from '../components/dialog.tsx';
import { formatNumber } from '../data/format.ts';
import { changeDocument, type DocumentChange, type DocumentSummary } from './document.ts';
import { type DocumentValues, FieldsDialog, type KnownNames, toValues } from './fields-dialog.tsx';
import { parseTags } from './tags.ts';
import { documentTexts as texts } from './texts.ts';

interface Question {
  readonly title: string;
  readonly name: 'title' | 'tags';
  readonly toChange: (values: DocumentValues) => DocumentChange;
  readonly known?: ReadonlySignal<KnownNames>;
}

const noNames = signal<KnownNames>({ folders: [], tags: [] });

const ask = (
  document: DocumentSummary,
  { title, name, toChange, known = noNames }: Question,
  onChange: (document: DocumentSummary) => unknown,
): void =>
  openDialog((close) => (
    <FieldsDialog
      title={title}
      action={texts.save}
      names={[name]}
      initial={toValues(document)}
      known={known}
      close={close}
      send={async (values, current = document) =>
        onChange(await changeDocument(current, toChange(values)))
      }
      onTheirs={onChange}
    />
  ));

/** Lets the user rename a document. */
export const askTitle = (
  document: DocumentSummary,
  onChange: (document: DocumentSummary) => unknown,
): void =>
  ask(
    document,
    {
      title: texts.renameTitle(document.title),
      name: 'title',
      toChange: ({ title }) => ({ title: title.trim() }),
    },
    onChange,
  );

/** Lets the user change the tags of a document. */
export const askTags = (
  document: DocumentSummary,
  known: ReadonlySignal<KnownNames>,
  onChange: (document: DocumentSummary) => unknown,
): void =>
  ask(
    document,
    {
      title: texts.tagsTitle(document.title),
      name: 'tags',
      toChange: ({ tags }) => ({ tags: [...parseTags(tags)] }),
      known,
    },
    onChange,
  );

/** Lets the user choose a folder for documents; `null` for none. */
export const askFolder = (
  documents: readonly DocumentSummary[],
  known: ReadonlySignal<KnownNames>,
  move: (folder: string | null) => Promise<unknown>,
): void => {
  const [first] = documents;
  if (!first) return;
  const title =
    documents.length === 1
      ? texts.moveTitle(first.title)
      : texts.moveSomeTitle(formatNumber(documents.length));
  openDialog((close) => (
    <FieldsDialog
      title={title}
      action={texts.move}
      names={['folder']}
      initial={toValues(first)}
      known={known}
      close={close}
      send={async ({ folder }) => {
        close();
        await move(folder.trim() || null);
      }}
    />
  ));
};
