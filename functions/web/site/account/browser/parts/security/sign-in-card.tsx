import type { ComponentChildren } from 'preact';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { formatDay } from '../../../../../browser/data/format.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { type User, user } from '../state.ts';
import { useAction } from './action.ts';
import { askForEmail } from './email-dialog.tsx';
import { askForPassword } from './password-dialog.tsx';

const asksToVerify = (): boolean =>
  document.getElementById('account')?.dataset['verification'] === 'on';

const sendLink = (email: string) => async (): Promise<string> => {
  await api.call('POST /api/auth/send-verification');
  return texts.linkSent(email);
};

const cancelChange = async (): Promise<string> => {
  user.data.value = await api.call('DELETE /api/auth/pending-email');
  return texts.changeCanceled;
};

/** A button that looks like a link in a sentence. */
const LinkButton = (props: {
  readonly run: () => Promise<string>;
  readonly children: ComponentChildren;
}) => {
  const { isBusy, run } = useAction();
  return (
    <button
      type="button"
      onClick={() => run(props.run)}
      {...(isBusy.value && { 'aria-busy': true })}
    >
      {props.children}
    </button>
  );
};

/** What is to be known about the address: a change that waits, why nothing is sent to it, or how it is verified. */
const EmailAbout = ({ shown }: { readonly shown: User }) => {
  const { email, pendingEmail, emailProblem, emailVerified } = shown;
  if (pendingEmail) {
    return (
      <>
        {texts.pendingBefore}
        <b>{pendingEmail}</b>
        {texts.pendingAfter} ·{' '}
        <LinkButton run={sendLink(pendingEmail)}>{texts.sendAgain}</LinkButton> ·{' '}
        <LinkButton run={cancelChange}>{texts.cancelChange}</LinkButton>
      </>
    );
  }
  if (emailProblem) {
    return <>{texts.emailProblems[emailProblem.reason](formatDay(emailProblem.since))}</>;
  }
  if (emailVerified || !asksToVerify()) return null;
  return <LinkButton run={sendLink(email)}>{texts.sendLink}</LinkButton>;
};

const EmailRow = ({ shown }: { readonly shown: User }) => (
  <SetRow
    icon="mail"
    title={
      <>
        <b>{shown.email}</b>
        {asksToVerify() &&
          (shown.emailVerified ? (
            <Badge kind="ok" icon="check">
              {texts.verified}
            </Badge>
          ) : (
            <Badge kind="warn">{texts.notVerified}</Badge>
          ))}
      </>
    }
    about={<EmailAbout shown={shown} />}
  >
    <Button size="sm" onClick={() => askForEmail(shown)}>
      {texts.changeEmail}
    </Button>
  </SetRow>
);

const arePasswordsOn = (): boolean =>
  document.getElementById('account')?.dataset['passwords'] === 'on';

const PasswordRow = ({ shown }: { readonly shown: User }) => {
  const { isBusy, run } = useAction();
  const hasPassword = signedIn?.hasPassword ?? true;
  const sendSetLink = async (): Promise<string> => {
    await api.call('POST /api/auth/forgot-password', { body: { email: shown.email } });
    return texts.linkSent(shown.email);
  };
  const withoutPassword = signedIn?.sendsMail ? texts.noPassword : texts.noPasswordNoMail;
  return (
    <SetRow
      icon="lock"
      title={<b>{texts.password}</b>}
      about={hasPassword ? texts.passwordAbout : withoutPassword}
    >
      {hasPassword && (
        <Button size="sm" onClick={() => askForPassword(shown)}>
          {texts.changePassword}
        </Button>
      )}
      {!hasPassword && signedIn?.sendsMail && (
        <Button size="sm" isBusy={isBusy.value} onClick={() => run(sendSetLink)}>
          {texts.setPassword}
        </Button>
      )}
    </SetRow>
  );
};

/** The address and the password of the user. */
export const SignIn = () => (
  <SetCard title={texts.signIn}>
    <Loaded source={user} lines={3}>
      {(shown) => (
        <ul>
          <li class="setrow">
            <EmailRow shown={shown} />
          </li>
          {arePasswordsOn() && (
            <li class="setrow">
              <PasswordRow shown={shown} />
            </li>
          )}
        </ul>
      )}
    </Loaded>
  </SetCard>
);
