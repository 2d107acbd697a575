import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { formatDay } from '../../../../browser/data/format.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { fieldTexts as fields } from '../../../../layout/texts.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { FormSection } from './form-section.tsx';
import { saveUser, type User, user } from './state.ts';

const isOn = (name: 'mail' | 'verification'): boolean =>
  document.getElementById('account')?.dataset[name] === 'on';

/** Runs a request of a button, and shows why it fails. */
const useAction = () => {
  const isBusy = useSignal(false);
  const run = async (work: () => Promise<string>): Promise<void> => {
    isBusy.value = true;
    try {
      toast({ text: await work() });
    } catch (error) {
      showFailure((error as Error).message, () => run(work));
    }
    isBusy.value = false;
  };
  return { isBusy, run };
};

const sendLink = (email: string) => async (): Promise<string> => {
  await api.call('POST /api/auth/send-verification');
  return texts.linkSent(email);
};

/** Says whether the address is verified, and how to. */
const Verification = ({ shown: { email, emailVerified, emailProblem } }: { shown: User }) => {
  const { isBusy, run } = useAction();
  if (emailVerified) return <Badge kind="ok">{texts.verified}</Badge>;
  return (
    <>
      <Badge kind="warn">{texts.notVerified}</Badge>{' '}
      {!emailProblem && (
        <Button size="sm" isBusy={isBusy.value} onClick={() => run(sendLink(email))}>
          {texts.sendLink}
        </Button>
      )}
    </>
  );
};

/** The new address that waits to be confirmed. */
const Pending = ({ email }: { readonly email: string }) => {
  const { isBusy, run } = useAction();
  const cancel = async () => {
    user.data.value = await api.call('DELETE /api/auth/pending-email');
    return texts.changeCanceled;
  };
  return (
    <Notice>
      {texts.pending(email)}
      <span class="row wrap mt0">
        <Button size="sm" isBusy={isBusy.value} onClick={() => run(sendLink(email))}>
          {texts.sendAgain}
        </Button>
        <Button size="sm" kind="ghost" onClick={() => run(cancel)}>
          {texts.cancelChange}
        </Button>
      </span>
    </Notice>
  );
};

/** The email address of the user: whether it is verified, and the form that changes it. */
export const EmailForm = ({ initial }: { readonly initial: User }) => {
  const form = useMemo(() => {
    const created = createForm({
      initial: { email: initial.email, currentPassword: '' },
      rules: {
        email: (value) => {
          if (!/.@./.test(value)) return texts.noEmail;
          return value.trim() === user.data.value?.email ? texts.sameEmail : undefined;
        },
        currentPassword: (value) =>
          value === '' ? texts.missing(fields.currentPassword) : undefined,
      },
      send: async (values) => {
        const { email, pendingEmail } = await saveUser(values);
        created.reset({ email, currentPassword: '' });
        toast({ text: pendingEmail ? texts.linkSent(pendingEmail) : texts.emailChanged(email) });
      },
    });
    return created;
  }, []);
  const shown = user.data.value ?? initial;
  const { email, pendingEmail, emailProblem } = shown;
  return (
    <FormSection
      title={texts.email}
      about={isOn('mail') ? texts.emailAbout : undefined}
      action={isOn('verification') && !pendingEmail && <Verification shown={shown} />}
      form={form}
      submit={texts.changeEmail}
    >
      {pendingEmail && <Pending email={pendingEmail} />}
      {emailProblem && (
        <Notice kind="warn">
          {texts.emailProblems[emailProblem.reason](email, formatDay(emailProblem.since))}
        </Notice>
      )}
      <div class={emailProblem || pendingEmail ? 'two mt' : 'two'}>
        <TextField
          form={form}
          name="email"
          label={fields.email}
          type="email"
          autocomplete="email"
        />
        <TextField
          form={form}
          name="currentPassword"
          label={fields.currentPassword}
          type="password"
          autocomplete="current-password"
          hint={texts.emailHint}
        />
      </div>
    </FormSection>
  );
};
