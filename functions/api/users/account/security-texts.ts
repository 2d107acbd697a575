import { isLinkLike } from '../../../../shared/mail/layout.ts';
import type { SecurityAlert } from '../record/jobs.ts';

interface AlertTexts {
  readonly title: string;
  readonly content: string;
  /** What to do if it was someone else. */
  readonly whatNext: string;
  /** How to turn off emails of this kind, if possible. */
  readonly turnOff?: string;
}

const reset = 'If it wasn’t you, reset your password now and review your sessions and API tokens.';

/** Formats an ISO 8601 time for people. */
export const formatTime = (at: string): string => `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;

/** Returns a name in quotes, or nothing if an email program would turn it into a link. */
const quote = (name: string | undefined): string =>
  name === undefined || isLinkLike(name) ? '' : ` “${name}”`;

/** Names a provider, unless an email program would turn the name into a link. */
const atProvider = (label: string | undefined): string =>
  label === undefined || isLinkLike(label) ? '' : ` at ${label}`;

/** Returns the texts that tell an owner what happened to the account. */
export const getSecurityTexts = ({
  event,
  at,
  token,
  device = 'an unknown device',
  network,
  deletesAt,
}: SecurityAlert): AlertTexts => {
  const time = formatTime(at);
  switch (event) {
    case 'password-changed':
      return {
        title: 'Your password was changed',
        content: `Your password was changed on ${time}. All other sessions were signed out.`,
        whatNext: reset,
      };
    case 'password-reset':
      return {
        title: 'Your password was reset',
        content: `Your password was reset on ${time}. All sessions and API tokens were ended.`,
        whatNext: reset,
      };
    case 'email-requested':
      return {
        title: 'A new email address was entered',
        content: `A new email address was entered for your account on ${time}. It replaces the current one once it is confirmed.`,
        whatNext:
          'If it wasn’t you, cancel the change on your account page and change your password now.',
      };
    case 'email-replaced':
      return {
        title: 'An administrator changed your email address',
        content: `An administrator changed the email address of your account on ${time}.`,
        whatNext: 'If you didn’t expect this, contact an administrator.',
      };
    case 'email-changed':
      return {
        title: 'Your email address was changed',
        content: `The email address of your account was changed on ${time}.`,
        whatNext: 'If it wasn’t you, contact an administrator now to get your account back.',
      };
    case 'token-created':
      return {
        title: 'An API token was created',
        content: `The API token${quote(token)} was created on ${time}.`,
        whatNext: 'If it wasn’t you, revoke the token and change your password now.',
      };
    case 'webhook-created':
      return {
        title: 'A webhook was created',
        content: `A webhook was created on ${time}. It tells${atProvider(token)} what happens in your account.`,
        whatNext: 'If it wasn’t you, delete the webhook and change your password now.',
      };
    case 'app-allowed':
      return {
        title: 'An app was connected to your account',
        content: `The app${quote(token)} was allowed to use your account on ${time}.`,
        whatNext:
          'If it wasn’t you, revoke the app under Assistants on your account page and change your password now.',
      };
    case 'factor-added':
      return {
        title: 'A second factor was added',
        content: `An authenticator app or a passkey was added to your account on ${time}. It is asked for after the password.`,
        whatNext: reset,
      };
    case 'factor-removed':
      return {
        title: 'A second factor was removed',
        content: `An authenticator app or a passkey was removed from your account on ${time}.`,
        whatNext: reset,
      };
    case 'factors-reset':
      return {
        title: 'Your second factors were removed',
        content: `An administrator removed the second factors of your account on ${time}. The password alone signs in until you add one.`,
        whatNext: 'If you didn’t expect this, contact an administrator.',
      };
    case 'codes-created':
      return {
        title: 'New recovery codes were created',
        content: `New recovery codes for your account were created on ${time}. Earlier ones no longer work.`,
        whatNext: reset,
      };
    case 'code-used':
      return {
        title: 'A recovery code was used',
        content: `A recovery code was used to sign in to your account on ${time}.`,
        whatNext: reset,
      };
    case 'code-failed':
      return {
        title: 'A wrong code was entered for your account',
        content: `Someone entered your password, and then a wrong code, on ${time}.`,
        whatNext: 'If it wasn’t you, change your password now: someone else knows it.',
      };
    case 'passkey-copied':
      return {
        title: 'A passkey was refused',
        content: `The passkey${quote(token)} was refused on ${time}, because a copy of it seems to be in use.`,
        whatNext:
          'Remove the passkey under Security on your account page, and add a new one. If it is on a security key, someone may have copied the key.',
      };
    case 'identity-connected':
      return {
        title: 'An account was connected to yours',
        content: `An account${atProvider(token)} was connected to yours on ${time}. It signs in to your account from now on.`,
        whatNext:
          'If it wasn’t you, disconnect it under Security on your account page and change your password now.',
      };
    case 'identity-removed':
      return {
        title: 'A connected account was removed',
        content: `An account${atProvider(token)} was disconnected from yours on ${time}. It no longer signs in.`,
        whatNext: reset,
      };
    case 'account-leaving':
      return {
        title: 'Your account will be deleted',
        content: `Deleting your account was requested on ${time}. It will be deleted on ${formatTime(deletesAt ?? at)}, with everything in it. Your shares no longer open, and all sessions were ended. Sign in before then to keep it.`,
        whatNext:
          'If it wasn’t you, sign in to keep your account, then change your password: someone else knows it.',
      };
    case 'account-kept':
      return {
        title: 'Your account is kept',
        content: `Your account won’t be deleted: it was kept on ${time}. Your shares open again.`,
        whatNext: reset,
      };
    case 'new-sign-in':
      return {
        title: 'New sign-in to your account',
        content: `Someone signed in to your account from ${device} (network ${network}) on ${time}.`,
        whatNext:
          'If it wasn’t you, change your password now and end the other sessions on your account page.',
        turnOff: 'You can turn off emails about new sign-ins in your notification settings.',
      };
  }
};
