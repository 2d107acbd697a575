import type { ConnectRefusal, Refusal } from '../../api/auth/identities/identity.ts';
import type { ProviderReason } from './protocol/provider-error.ts';

/** What a text names: the label of the provider, and the email address that it says. */
export interface Named {
  readonly label: string;
  readonly email: string;
}

/** A page that says why nobody is signed in. */
interface FailureTexts {
  readonly title: (named: Named) => string;
  readonly about: (named: Named) => string;
}

/** Why there is no sign-in, before it is known who that would be. */
export const providerFailures: Readonly<Record<ProviderReason, FailureTexts>> = {
  canceled: {
    title: () => 'Sign-in canceled',
    about: ({ label }) => `You weren’t signed in with ${label}.`,
  },
  expired: {
    title: () => 'Sign-in expired',
    about: () => 'It took too long, was used already or began in another browser. Try again.',
  },
  invalid: {
    title: () => 'Sign-in failed',
    about: ({ label }) => `The response of ${label} can’t be verified. Try again.`,
  },
  unavailable: {
    title: ({ label }) => `${label} is unavailable`,
    about: ({ label }) => `${label} doesn’t respond. Try again later, or sign in another way.`,
  },
  misconfigured: {
    title: ({ label }) => `${label} isn’t set up`,
    about: ({ label }) => `Signing in with ${label} doesn’t work. Tell an administrator.`,
  },
};

/** Why someone whom a provider has signed in isn't signed in here. */
export const refusals: Readonly<Record<Refusal, FailureTexts>> = {
  'no-account': {
    title: () => 'No account',
    about: ({ email }) => `No account for ${email}. Ask an administrator.`,
  },
  unproven: {
    title: () => 'No account',
    about: ({ label }) =>
      `No account is connected to this ${label} account, and ${label} doesn’t confirm your email address. Ask an administrator for an account.`,
  },
  'not-connected': {
    title: ({ label }) => `${label} isn’t connected`,
    about: ({ label, email }) =>
      `There is an account for ${email}. Sign in another way, then connect ${label} in Account › Security.`,
  },
  inactive: {
    title: () => 'Account inactive',
    about: () => 'Your account is inactive or suspended. Ask an administrator.',
  },
};

/** Why an account of a provider isn't connected. */
export const connectRefusals: Readonly<Record<ConnectRefusal, FailureTexts>> = {
  'of-another-user': {
    title: () => 'Already connected',
    about: ({ label }) => `This ${label} account is connected to another user.`,
  },
  'has-another': {
    title: ({ label }) => `Another ${label} account is connected`,
    about: () => 'Disconnect it first in Account › Security.',
  },
  ended: {
    title: () => 'Not connected',
    about: () => 'It took too long, or your session has ended. Start again in Account › Security.',
  },
};

/** Texts of the other pages and of links. */
export const providerTexts = {
  signedIn: 'Signed in',
  connected: (label: string) => `${label} connected`,
  goOn: 'Continue',
  again: 'Try again',
  otherAccount: (label: string) => `Use another ${label} account`,
  otherWay: 'Sign in another way',
  toSecurity: 'Go to Account › Security',
} as const;
