import { isEmailSignInOn, isPasswordSignInOn } from '../../../../shared/auth/ways-in.ts';
import { listProviders, type Provider } from '../../../../shared/runtime/provider-settings.ts';
import { canHavePasskeys } from '../../../api/auth/passkeys/relying-party.ts';

/** How people can sign in, by the settings. */
export interface SignInWays {
  readonly hasPasswords: boolean;
  /** Whether a code and a link are sent by email. */
  readonly hasEmail: boolean;
  readonly hasPasskeys: boolean;
  readonly providers: readonly Provider[];
}

/** Returns how people can sign in. @throws SettingError */
export const getSignInWays = (): SignInWays => ({
  hasPasswords: isPasswordSignInOn(),
  hasEmail: isEmailSignInOn(),
  hasPasskeys: canHavePasskeys(),
  providers: listProviders(),
});

/** Returns the provider at which all sign in, if there is nothing to choose. A passkey is then a way around it. */
export const findOnlyProvider = ({
  hasPasswords,
  hasEmail,
  providers: [first, ...others],
}: SignInWays): Provider | undefined =>
  hasPasswords || hasEmail || others.length > 0 ? undefined : first;
