import { OwnData } from '../own-data/own-data-card.tsx';
import { hasProviders } from '../providers.ts';
import { ConnectedAccounts } from './connected-accounts-card.tsx';
import { DeleteAccount } from './delete-account-card.tsx';
import { Passkeys } from './passkeys-card.tsx';
import { SecondFactor } from './second-factor-card.tsx';
import { Sessions } from './sessions-card.tsx';
import { SignIn } from './sign-in-card.tsx';

/** How the user signs in, and where they are signed in. */
export const Security = () => (
  <>
    <SignIn />
    <Passkeys />
    <SecondFactor />
    {hasProviders() && <ConnectedAccounts />}
    <Sessions />
    <OwnData />
    <DeleteAccount />
  </>
);
