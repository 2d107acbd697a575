import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm, type Form } from '../../../../browser/data/form.ts';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { filesTexts as texts } from '../../texts.ts';
import { type File, reload } from './state.ts';

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly form: Form<{ readonly name: string }>;
  readonly close: () => void;
}

const NameDialog = ({ title, action, form, close }: NameDialogProps) => {
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const input = place.current?.querySelector('input');
    const end = input?.value.lastIndexOf('.') ?? -1;
    input?.focus();
    // Selects the name without its extension.
    input?.setSelectionRange(0, end > 0 ? end : input.value.length);
  }, []);
  return (
    <Dialog title={title} onClose={close}>
      <EditForm ref={place} class="mt0" form={form} of={title}>
        <TextField form={form} name="name" label={texts.name} maxLength={255} />
        {form.failure.value !== undefined && <Notice kind="bad">{form.failure.value}</Notice>}
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

interface Question {
  readonly title: string;
  readonly action: string;
  readonly name: string;
  /** Returns what to say when it is done. */
  readonly send: (name: string) => Promise<string>;
}

/** Asks for a name until it is taken, or the dialog is closed. */
const ask = ({ title, action, name, send }: Question): void =>
  openDialog((close) => {
    const form = createForm({
      initial: { name },
      rules: { name: (value) => (value.trim() === '' ? texts.nameRequired : undefined) },
      send: async (values) => {
        const text = await send(values.name.trim());
        close();
        toast({ text });
        await reload();
      },
    });
    return <NameDialog title={title} action={action} form={form} close={close} />;
  });

/** Lets the user rename a file or folder. */
export const askName = ({ id, name }: File): void =>
  ask({
    title: texts.renameTitle(name),
    action: texts.save,
    name,
    send: async (next) => {
      await api.call('PUT /api/files/{id}', { params: { id }, body: { name: next } });
      return texts.renamed(next);
    },
  });

/** Lets the user create a folder in a folder. */
export const askFolderName = (folder: string): void =>
  ask({
    title: texts.newFolder,
    action: texts.create,
    name: '',
    send: async (name) => {
      await api.call('POST /api/files/folders', { body: { name, folder } });
      return texts.folderCreated(name);
    },
  });
