import { useEffect, useRef, useState } from 'preact/hooks';
import type { IconName } from '../../layout/icons.ts';
import { afterRendering } from '../after-rendering.ts';
import { ApiError } from '../client/api-error.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { useUniqueId } from '../data/unique-id.ts';
import { canUsePasskeys } from '../passkeys/support.ts';
import { CodeField, readCode, selectCode } from './code-field.tsx';
import { describeWrongCode, factorTexts as texts } from './texts.ts';

/** What a second factor is proven by, as the API names it. */
export type ProofMethod = 'totp' | 'passkey' | 'recovery';

interface ProofFormProps {
  /** Those that the user has. */
  readonly methods: readonly ProofMethod[];
  /** Sends a code of the app, or a recovery code. An ApiError about it is shown beside it. */
  readonly sendCode: (code: string) => Promise<unknown>;
  readonly sendPasskey: () => Promise<unknown>;
  readonly onProven: () => unknown;
  readonly onCancel: () => unknown;
}

const icons: Readonly<Record<ProofMethod, IconName>> = {
  totp: 'phone',
  passkey: 'pass',
  recovery: 'key',
};

/** Returns what can be used here, the usual first. */
const listUsable = (methods: readonly ProofMethod[]): readonly ProofMethod[] =>
  (['totp', 'passkey', 'recovery'] as const).filter(
    (method) => methods.includes(method) && (method !== 'passkey' || canUsePasskeys()),
  );

const RecoveryCodeField = ({ error }: { readonly error: string | undefined }) => {
  const id = useUniqueId();
  return (
    <div class="field">
      <label for={id}>{texts.recoveryCode}</label>
      <input
        class="in mono"
        id={id}
        name="code"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={32}
        autofocus
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-error`}
      />
      <p class="err" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
};

/** The form by which a user proves a second factor: by a code, a passkey or a recovery code. */
export const ProofForm = (props: ProofFormProps) => {
  const { methods, sendCode, sendPasskey, onProven, onCancel } = props;
  const usable = listUsable(methods);
  const [method, setMethod] = useState<ProofMethod>(usable[0] ?? 'recovery');
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  // What is asked for now has the focus.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[name=code], .btn.primary')?.focus();
  }, [method]);

  const say = (wrong: string | undefined, other: string | undefined): void => {
    setError(wrong);
    setFailure(other);
  };
  const run = async (send: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    say(undefined, undefined);
    try {
      await send();
      onProven();
    } catch (thrown) {
      const details = thrown instanceof ApiError ? thrown.details : [];
      const wrong = details.find(({ field }) => field === 'code');
      setBusy(false);
      if (wrong) say(describeWrongCode(wrong.message), undefined);
      else say(undefined, (thrown as Error).message);
      const { current } = form;
      if (current) afterRendering(() => selectCode(current));
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (method === 'passkey') {
      void run(sendPasskey);
      return;
    }
    const code = readCode(event.currentTarget as HTMLFormElement);
    if (code === '') say(method === 'totp' ? texts.codeMissing : texts.recoveryMissing, undefined);
    else void run(() => sendCode(code));
  };
  const choose = (next: ProofMethod): void => {
    say(undefined, undefined);
    setMethod(next);
    // The browser asks by itself.
    if (next === 'passkey') void run(sendPasskey);
  };
  const others = usable.filter((other) => other !== method);
  return (
    <form ref={form} method="post" noValidate autocomplete="off" onSubmit={submit}>
      <p class="sub mt0">{texts.proveBy[method]}</p>
      <div class="proof">
        {method === 'totp' && (
          <CodeField
            label={texts.code}
            error={error}
            onComplete={() => form.current?.requestSubmit()}
            isFirst
          />
        )}
        {method === 'recovery' && <RecoveryCodeField error={error} />}
        {failure !== undefined && <Notice kind="bad">{failure}</Notice>}
        {others.map((other) => (
          <Button key={other} icon={icons[other]} onClick={() => choose(other)}>
            {texts.use[other]}
          </Button>
        ))}
      </div>
      <div class="acts">
        <Button kind="ghost" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <Button type="submit" kind="primary" autofocus={method === 'passkey'} isBusy={isBusy}>
          {method === 'passkey' ? texts.use.passkey : texts.confirm}
        </Button>
      </div>
    </form>
  );
};
