import { useState } from 'preact/hooks';
import { toLoginAfterSignOut, withNext } from '../../layout/addresses/destination.ts';
import type { Client } from '../client/client.ts';
import type { Data } from '../client/endpoints.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { factorTexts as texts } from './texts.ts';

type Connection = Data<'GET /api/auth/identities'>['identities'][number];

/** Returns the address of the page, to come back to. */
const here = (): string => location.pathname + location.search;

interface SignInAgainProps {
  /** The accounts at providers that sign the user in. */
  readonly connected: readonly Connection[];
  readonly client: Pick<Client, 'call'>;
  readonly onCancel: () => unknown;
}

/** Leads users who have neither password nor second factor through another sign-in, and back to the page. */
export const SignInAgain = ({ connected, client, onCancel }: SignInAgainProps) => {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const signOut = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await client.call('POST /api/auth/logout');
      location.assign(toLoginAfterSignOut(here()));
    } catch (error) {
      setBusy(false);
      setFailure((error as Error).message);
    }
  };
  const isPrimary = connected.length === 0;
  return (
    <>
      <p class="sub mt0">{texts.signInAgainAbout}</p>
      <div class="proof">
        {failure !== undefined && <Notice kind="bad">{failure}</Notice>}
        {connected.map(({ provider, label }, at) => (
          <a
            key={provider}
            class={connected.length === 1 ? 'btn primary' : 'btn'}
            href={withNext(`/login/${provider}`, here())}
            autofocus={at === 0}
          >
            <span class="cut">{texts.continueWith(label)}</span>
          </a>
        ))}
        <Button
          {...(isPrimary && { kind: 'primary' as const })}
          autofocus={isPrimary}
          isBusy={isBusy}
          onClick={signOut}
        >
          {isPrimary ? texts.signInAgain : texts.otherWay}
        </Button>
      </div>
      <div class="acts">
        <Button kind="ghost" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </>
  );
};
