import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { afterRendering } from '../after-rendering.ts';
import { ApiError } from '../client/api-error.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { copyText } from '../data/clipboard.ts';
import { copyByHand } from '../data/copy-by-hand.ts';
import { commonTexts } from '../texts.ts';
import { CodeField, readCode, selectCode } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import { describeWrongCode, factorTexts as texts } from './texts.ts';

/** What an authenticator app is set up with. */
export interface AuthenticatorSetup {
  /** In Base32. */
  readonly secret: string;
  /** The `otpauth:` URI of the QR code. */
  readonly uri: string;
}

interface AuthenticatorStepsProps {
  readonly setup: AuthenticatorSetup;
  /** Sends the code that the app shows. An ApiError about it is shown beside it. */
  readonly confirm: (code: string) => Promise<unknown>;
  /** The buttons, of which one submits. */
  readonly children: (isBusy: boolean) => ComponentChildren;
}

const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

const Key = ({ secret }: Pick<AuthenticatorSetup, 'secret'>) => (
  <div class="grow">
    <p class="tiny mute">{texts.key}</p>
    <div class="keyline">
      <span>{inGroups(secret)}</span>
      <Button
        kind="ghost"
        size="sm"
        icon="copy"
        label={texts.copyKey}
        onClick={() => copyText(secret, commonTexts.copied, copyByHand)}
      />
    </div>
    <p class="hint">{texts.keyHint}</p>
  </div>
);

/** The form that sets up an authenticator app: its QR code and key, and the code that proves it. The sixth digit submits. */
export const AuthenticatorSteps = ({ setup, confirm, children }: AuthenticatorStepsProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();

  const refuse = (code: string | undefined, other?: string): void => {
    setError(code);
    setFailure(other);
    const { current } = form;
    if (current) afterRendering(() => selectCode(current));
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const code = readCode(event.currentTarget as HTMLFormElement);
    if (isBusy) return;
    if (code.length < 6) return refuse(texts.codeMissing);
    setBusy(true);
    setError(undefined);
    setFailure(undefined);
    try {
      await confirm(code);
    } catch (thrown) {
      const details = thrown instanceof ApiError ? thrown.details : [];
      const wrong = details.find(({ field }) => field === 'code');
      setBusy(false);
      if (wrong) refuse(describeWrongCode(wrong.message));
      else refuse(undefined, (thrown as Error).message);
    }
  };
  return (
    <form ref={form} method="post" noValidate autocomplete="off" onSubmit={submit}>
      <ol class="set-up">
        <li>
          <div>
            <p>{texts.scan}</p>
            <div class="scan">
              <QrCode text={setup.uri} label={texts.qr} />
              <Key secret={setup.secret} />
            </div>
          </div>
        </li>
        <li>
          <CodeField
            label={texts.enterCode}
            error={error}
            onComplete={() => form.current?.requestSubmit()}
            isFirst
          />
        </li>
      </ol>
      {failure !== undefined && (
        <div class="mt0">
          <Notice kind="bad">{failure}</Notice>
        </div>
      )}
      {children(isBusy)}
    </form>
  );
};
