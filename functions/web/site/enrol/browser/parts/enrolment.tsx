import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../../browser/client/api-error.ts';
import { clientTexts } from '../../../../browser/client/texts.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import {
  type AuthenticatorSetup,
  AuthenticatorSteps,
} from '../../../../browser/factors/authenticator-steps.tsx';
import { RecoveryCodes } from '../../../../browser/factors/recovery-codes.tsx';
import { addPasskey } from '../../../../browser/passkeys/own-passkeys.ts';
import { PasskeyError } from '../../../../browser/passkeys/passkey-error.ts';
import { canUsePasskeys } from '../../../../browser/passkeys/support.ts';
import { api } from '../../../../browser/shell/api.ts';
import { toLoginAfterSignOut } from '../../../../layout/addresses/destination.ts';
import { enrolTexts as texts } from '../../texts.ts';

interface EnrolmentProps {
  /** Whose recovery codes they are. */
  readonly email: string;
  /** Whether the service can have passkeys. */
  readonly hasPasskeys: boolean;
  /** Called once the second factor is there and its codes are saved. */
  readonly onDone: () => void;
}

/** What the page shows: the choice, the steps of an authenticator app, or the recovery codes. */
type Step = 'choice' | AuthenticatorSetup | { readonly codes: readonly string[] };

const isShown = (error: unknown): error is Error =>
  error instanceof ApiError || error instanceof PasskeyError;

interface ChoiceProps {
  readonly hasPasskeys: boolean;
  readonly choose: (way: 'authenticator' | 'passkey') => Promise<void>;
}

const Choice = ({ hasPasskeys, choose }: ChoiceProps) => {
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const start = async (way: 'authenticator' | 'passkey') => {
    if (busy !== undefined) return;
    setBusy(way);
    setFailure(undefined);
    try {
      await choose(way);
    } catch (error) {
      setFailure(isShown(error) ? error.message : clientTexts.failed);
    }
    setBusy(undefined);
  };
  const signOut = async () => {
    await api.call('POST /api/auth/logout').catch(() => undefined);
    location.replace(toLoginAfterSignOut());
  };
  return (
    <>
      <p>{texts.about}</p>
      <div class="ways">
        <Button
          size="lg"
          icon="phone"
          autofocus
          isBusy={busy === 'authenticator'}
          onClick={() => start('authenticator')}
        >
          {texts.authenticator}
        </Button>
        {hasPasskeys && (
          <Button
            size="lg"
            icon="pass"
            isBusy={busy === 'passkey'}
            whyDisabled={canUsePasskeys() ? undefined : texts.noPasskeys}
            onClick={() => start('passkey')}
          >
            {texts.passkey}
          </Button>
        )}
        {failure !== undefined && <Notice kind="bad">{failure}</Notice>}
      </div>
      <p class="foot-l">
        <button type="button" onClick={signOut}>
          {texts.signOut}
        </button>
      </p>
    </>
  );
};

/** The steps to a second factor: which, its set-up, and its recovery codes. */
export const Enrolment = ({ email, hasPasskeys, onDone }: EnrolmentProps) => {
  const [step, setStep] = useState<Step>('choice');
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed is gone; the steps that have a field focus it themselves.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, [step]);

  const goOn = ({ codes }: { readonly codes: readonly string[] | null }) => {
    if (codes) setStep({ codes });
    else onDone();
  };
  const choose = async (way: 'authenticator' | 'passkey') => {
    if (way === 'passkey') goOn(await addPasskey(api));
    else setStep(await api.call('POST /api/auth/totp', { body: {} }));
  };
  const title = step === 'choice' ? texts.title : 'codes' in step ? texts.saveCodes : texts.setUp;
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {step === 'choice' ? (
        <Choice hasPasskeys={hasPasskeys} choose={choose} />
      ) : 'codes' in step ? (
        <RecoveryCodes codes={step.codes} email={email} onDone={onDone} />
      ) : (
        <AuthenticatorSteps
          setup={step}
          confirm={async (code) =>
            goOn(await api.call('POST /api/auth/totp/confirm', { body: { code } }))
          }
        >
          {(isBusy) => (
            <div class="acts">
              <Button kind="ghost" onClick={() => setStep('choice')}>
                {texts.back}
              </Button>
              <Button type="submit" kind="primary" isBusy={isBusy}>
                {texts.turnOn}
              </Button>
            </div>
          )}
        </AuthenticatorSteps>
      )}
    </>
  );
};
