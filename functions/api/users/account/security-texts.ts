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

/** Returns the texts that tell an owner what happened to the account. */
export const getSecurityTexts = ({
  event,
  at,
  token,
  device = 'an unknown device',
  network,
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
