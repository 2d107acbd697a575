import type { Step } from '../../../../shared/db/transaction.ts';
import type { Provider } from '../../../../shared/runtime/provider-settings.ts';

/** Who signed in at a provider, as it says itself, in a response that was checked. */
export interface Identity {
  readonly provider: Provider;
  /** The provider's own id of the person, of up to 255 characters. Never given to anyone else. */
  readonly subject: string;
  /** In small letters. `undefined` if the provider says none, or one that is no email address. */
  readonly email: string | undefined;
  /** Whether the address is the person's: the provider says so of it, or the setting of all its addresses. */
  readonly isEmailProven: boolean;
  readonly name: string | undefined;
  /** All values of the claim that ROLE_CLAIM names. `undefined` if it isn't set, or this issuer is not to be asked. */
  readonly roleValues: readonly string[] | undefined;
}

/** Why someone who was signed in by a provider isn't here. */
export type Refusal =
  /** There is no account, and none is made: registration isn't open, or not for this domain. */
  | 'no-account'
  /** The provider says no address that is proven. Whether there is an account is not said: someone else could ask, too. */
  | 'unproven'
  /** An account has the address, but hasn't proven it. Who is signed in can connect it. */
  | 'not-connected'
  /** The account isn't active. */
  | 'inactive';

/** Why an account of a provider isn't connected. */
export type ConnectRefusal =
  /** Someone else has it here. */
  | 'of-another-user'
  /** The user has another account of this provider, to be disconnected first. */
  | 'has-another'
  /** The session has ended, or the account has changed since connecting began. */
  | 'ended';

export type ConnectOutcome =
  | { readonly kind: 'connected' }
  | { readonly kind: 'refused'; readonly reason: ConnectRefusal };

/** Uses up the answer of a provider. A second use is refused in the transaction that it would lead to. */
export type AnswerUse = Step;
