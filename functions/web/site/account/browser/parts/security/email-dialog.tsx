import { useMemo } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../../browser/components/dialog.tsx';
import { TextField } from '../../../../../browser/components/field.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { createForm } from '../../../../../browser/data/form.ts';
import { EditForm } from '../../../../../browser/record/edit-form.tsx';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { fieldTexts as fields } from '../../../../../layout/texts.ts';
import { accountTexts } from '../../../account-texts.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { saveUser, type User } from '../state.ts';

const isMailOn = (): boolean => document.getElementById('account')?.dataset['mail'] === 'on';

/** Who has no password has signed in or proven who they are lately; the service asks for that. */
const hasPassword = signedIn?.hasPassword ?? true;

const EmailDialog = ({ user, close }: { readonly user: User; readonly close: () => void }) => {
  const form = useMemo(
    () =>
      createForm({
        initial: { email: '', currentPassword: '' },
        rules: {
          email: (value) => {
            if (!/.@./.test(value)) return texts.noEmail;
            return value.trim() === user.email ? texts.sameEmail : undefined;
          },
          currentPassword: (value) =>
            value === '' && hasPassword ? accountTexts.missing(fields.currentPassword) : undefined,
        },
        send: async ({ email: to, currentPassword }) => {
          const { email, pendingEmail } = await saveUser({
            email: to,
            ...(hasPassword && { currentPassword }),
          });
          close();
          toast({ text: pendingEmail ? texts.linkSent(pendingEmail) : texts.emailChanged(email) });
        },
      }),
    [user],
  );
  return (
    <Dialog title={texts.changeEmail} onClose={close}>
      {isMailOn() && <p class="sub mt0">{texts.emailAbout}</p>}
      <EditForm class="mt0" form={form} of={accountTexts.yourAccount} autocomplete="on">
        <TextField
          form={form}
          name="email"
          label={texts.newEmail}
          type="email"
          autocomplete="email"
        />
        {hasPassword && (
          <TextField
            form={form}
            name="currentPassword"
            label={fields.currentPassword}
            type="password"
            autocomplete="current-password"
            hint={texts.emailHint}
          />
        )}
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
            {texts.changeEmail}
          </Button>
        </div>
      </EditForm>
    </Dialog>
  );
};

/** Asks for the new address of the user, and changes it. */
export const askForEmail = (user: User): void =>
  openDialog((close) => <EmailDialog user={user} close={close} />);
