import { useMemo } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../../browser/components/dialog.tsx';
import { TextField } from '../../../../../browser/components/field.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { createForm } from '../../../../../browser/data/form.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { type Factors, factors } from '../state.ts';

type Passkey = Factors['passkeys'][number];

interface NameDialogProps {
  readonly passkey: Passkey;
  readonly close: () => void;
}

const NameDialog = ({ passkey: { id, name }, close }: NameDialogProps) => {
  const form = useMemo(
    () =>
      createForm({
        initial: { name },
        rules: { name: (value) => (value.trim() === '' ? texts.nameMissing : undefined) },
        send: async (body) => {
          factors.data.value = await api.call('PUT /api/auth/passkeys/{id}', {
            params: { id },
            body,
          });
          close();
          toast({ text: texts.passkeyRenamed(body.name.trim()) });
        },
      }),
    [],
  );
  return (
    <Dialog title={texts.renamePasskey} onClose={close}>
      <form class="mt0" method="post" noValidate autocomplete="off" onSubmit={form.submit}>
        <TextField
          form={form}
          name="name"
          label={texts.passkeyName}
          maxLength={64}
          autocomplete="off"
        />
        {form.failure.value !== undefined && (
          <div class="mt0">
            <Notice kind="bad">{form.failure.value}</Notice>
          </div>
        )}
        <div class="acts">
          <Button kind="ghost" onClick={close}>
            {texts.cancel}
          </Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy.value}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/** Asks for a new name of a passkey, and changes it. */
export const askForName = (passkey: Passkey): void =>
  openDialog((close) => <NameDialog passkey={passkey} close={close} />);
