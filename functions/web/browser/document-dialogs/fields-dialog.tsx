import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { createForm, type Form } from '../data/form.ts';
import { formatNumber } from '../data/format.ts';
import { Conflict } from '../record/conflict.tsx';
import { EditForm } from '../record/edit-form.tsx';
import { DocumentConflict, type DocumentSummary } from './document.ts';
import { parseTags, suggestTags } from './tags.ts';
import { documentTexts as texts } from './texts.ts';

/** What the dialogs of a document ask for. */
export interface DocumentValues {
  readonly title: string;
  readonly folder: string;
  /** Separated by commas. */
  readonly tags: string;
}

/** Names of folders and tags to choose from. */
export interface KnownNames {
  readonly folders: readonly string[];
  readonly tags: readonly string[];
}

const maxTags = 20;
const maxTag = 50;

/** Returns what a dialog shows of a document. */
export const toValues = ({ title, folder, tags }: DocumentSummary): DocumentValues => ({
  title,
  folder: folder ?? '',
  tags: tags.join(', '),
});

const checkTags = (text: string): string | undefined => {
  const tags = parseTags(text);
  if (tags.length > maxTags) return texts.tooManyTags(formatNumber(maxTags));
  const isTooLong = tags.some((tag) => tag.length > maxTag);
  return isTooLong ? texts.tagTooLong(formatNumber(maxTag)) : undefined;
};

const rules = {
  title: (title: string) => (title.trim() === '' ? texts.titleRequired : undefined),
  tags: checkTags,
};

interface FieldsProps {
  readonly form: Form<DocumentValues>;
  readonly names: readonly (keyof DocumentValues)[];
  readonly known: ReadonlySignal<KnownNames>;
}

const Fields = ({ form, names, known }: FieldsProps) => {
  const fields = {
    title: <TextField form={form} name="title" label={texts.title} maxLength={200} />,
    folder: (
      <TextField
        form={form}
        name="folder"
        label={texts.folder}
        hint={texts.folderHint}
        maxLength={100}
        suggestions={known.value.folders}
      />
    ),
    tags: (
      <TextField
        form={form}
        name="tags"
        label={texts.tags}
        hint={texts.tagsHint}
        suggestions={suggestTags(form.values.value.tags, known.value.tags)}
      />
    ),
  };
  return (
    <>
      {names.map((name) => (
        <div key={name} class="field">
          {fields[name]}
        </div>
      ))}
    </>
  );
};

interface ConflictViewProps {
  readonly form: Form<DocumentValues>;
  readonly names: readonly (keyof DocumentValues)[];
  readonly found: Signal<DocumentConflict | undefined>;
  readonly keepMine: (current: DocumentSummary) => unknown;
  readonly keepTheirs: (current: DocumentSummary) => unknown;
}

const ConflictView = ({ form, names, found, keepMine, keepTheirs }: ConflictViewProps) => {
  if (!found.value) return null;
  const { current } = found.value;
  const mine = Object.fromEntries(names.map((name) => [name, form.values.value[name]]));
  return (
    <Conflict
      text={texts.changedByOthers}
      labels={texts}
      mine={mine as Partial<DocumentValues>}
      theirs={toValues(current)}
      keepMine={() => keepMine(current)}
      keepTheirs={() => keepTheirs(current)}
    />
  );
};

interface FieldsDialogProps {
  readonly title: string;
  readonly action: string;
  /** The fields to ask for. */
  readonly names: readonly (keyof DocumentValues)[];
  readonly initial: DocumentValues;
  readonly known: ReadonlySignal<KnownNames>;
  readonly close: () => void;
  /** Sends what was entered: on top of `current`, after a conflict. */
  readonly send: (values: DocumentValues, current?: DocumentSummary) => Promise<unknown>;
  /** Shows what someone else has made of the document. */
  readonly onTheirs?: (current: DocumentSummary) => unknown;
}

/** Asks for fields of a document until they are taken, or the dialog is closed. */
export const FieldsDialog = (props: FieldsDialogProps) => {
  const { title, action, names, initial, known, close, send, onTheirs } = props;
  const place = useRef<HTMLFormElement>(null);
  const found = useSignal<DocumentConflict | undefined>(undefined);
  const base = useRef<DocumentSummary>(undefined);
  const form = useMemo(
    () =>
      createForm<DocumentValues>({
        initial,
        rules: Object.fromEntries(
          Object.entries(rules).filter(([name]) => names.includes(name as keyof DocumentValues)),
        ),
        send: async (values) => {
          found.value = undefined;
          try {
            await send(values, base.current);
          } catch (error) {
            if (!(error instanceof DocumentConflict)) throw error;
            found.value = error;
            return;
          }
          close();
        },
      }),
    [],
  );
  useEffect(() => place.current?.querySelector<HTMLInputElement>('input, select')?.select?.(), []);
  useEffect(() => place.current?.querySelector<HTMLInputElement>('input, select')?.focus(), []);
  return (
    <Dialog title={title} onClose={close}>
      <EditForm ref={place} class="mt0" form={form} of={title}>
        <Fields form={form} names={names} known={known} />
        {form.failure.value !== undefined && <Notice kind="bad">{form.failure.value}</Notice>}
        <ConflictView
          form={form}
          names={names}
          found={found}
          keepMine={(current) => {
            base.current = current;
            place.current?.requestSubmit();
          }}
          keepTheirs={(current) => {
            onTheirs?.(current);
            close();
          }}
        />
        <div class="acts">
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy.value}>
            {action}
          </Button>
        </div>
      </EditForm>
    </Dialog>
  );
};
