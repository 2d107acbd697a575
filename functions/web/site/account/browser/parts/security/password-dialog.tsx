import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../../browser/components/dialog.tsx';
import { SwitchField, TextField } from '../../../../../browser/components/field.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { createForm } from '../../../../../browser/data/form.ts';
import { EditForm } from '../../../../../browser/record/edit-form.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { fieldTexts as fields } from '../../../../../layout/texts.ts';
import { accountTexts } from '../../../account-texts.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { created, sessions, type User, user } from '../state.ts';

const initial = { currentPassword: '', password: '', confirmPassword: '', endsTokens: false };

const minLength = 6;

const createPasswordForm = (close: () => void) =>
  createForm({
    initial,
    rules: {
      currentPassword: (value) =>
        value === '' ? accountTexts.missing(fields.currentPassword) : undefined,
      password: (value) => (value.length < minLength ? texts.tooShort : undefined),
      confirmPassword: (value, { password }) => (value === password ? undefined : texts.mismatch),
    },
    send: async ({ endsTokens, ...passwords }) => {
      await api.call('PUT /api/auth/password', {
        body: { ...passwords, ...(endsTokens && { scope: 'all' }) },
      });
      if (endsTokens) created.value = undefined;
      close();
      toast({ text: endsTokens ? texts.passwordChangedTokens : texts.passwordChanged });
      await Promise.all([user.load(), sessions.load()]);
    },
  });

const PasswordDialog = ({
  email,
  close,
}: {
  readonly email: string;
  readonly close: () => void;
}) => {
  const isShown = useSignal(false);
  const form = useMemo(() => createPasswordForm(close), []);
  const type = isShown.value ? 'text' : 'password';
  return (
    <Dialog title={texts.changePassword} onClose={close}>
      <p class="sub mt0">{texts.passwordAbout}</p>
      <EditForm class="mt0" form={form} of={accountTexts.yourAccount} autocomplete="on">
        {/* Tells password managers whose password it is. */}
        <input name="username" type="text" autocomplete="username" value={email} readOnly hidden />
        <TextField
          form={form}
          name="currentPassword"
          label={fields.currentPassword}
          type={type}
          autocomplete="current-password"
        />
        <TextField
          form={form}
          name="password"
          label={fields.newPassword}
          type={type}
          autocomplete="new-password"
          hint={fields.passwordHint}
        />
        <TextField
          form={form}
          name="confirmPassword"
          label={fields.samePassword}
          type={type}
          autocomplete="new-password"
        />
        <div class="mt0">
          <Button
            size="sm"
            aria-pressed={isShown.value}
            onClick={() => {
              isShown.value = !isShown.value;
            }}
          >
            {fields.showPassword}
          </Button>
          <SwitchField
            form={form}
            name="endsTokens"
            label={texts.endTokens}
            hint={texts.endTokensHint}
          />
        </div>
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
            {texts.changePassword}
          </Button>
        </div>
      </EditForm>
    </Dialog>
  );
};

/** Asks for the new password of the user, and changes it. */
export const askForPassword = ({ email }: User): void =>
  openDialog((close) => <PasswordDialog email={email} close={close} />);
