import { isMailable, type StoredUser } from '../../../../shared/auth/user.ts';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import * as users from '../record/users.ts';
import { createInvitationLink, createResetLink } from './password-link.ts';

const isEmailEnabled = (): boolean => getSetting('MAIL_FROM') !== undefined;

/** Returns the host that users know the service by. */
const getHost = (): string => new URL(getSetting('PUBLIC_URL')).host;

const getRecipient = ({ email, name }: StoredUser) => ({
  to: email,
  name,
  signature: `You received this email because you have a Handbill account (${toShownEmail(email)}) at ${getHost()}. Replies are not monitored.`,
});

const composeReset = (user: StoredUser, url: string) =>
  compose({
    ...getRecipient(user),
    subject: 'Reset your Handbill password',
    before: [
      `We received a request to reset the password for ${toShownEmail(user.email)} at ${getHost()}. Use this link within 1 hour:`,
    ],
    action: { label: 'Reset password', url },
    after: [
      'The link works once, and only the latest one is valid. Resetting your password signs you out on all devices.',
      'If you didn’t request this, ignore this email. Your password stays the same.',
    ],
  });

const composeInvitation = (user: StoredUser, url: string) =>
  compose({
    ...getRecipient(user),
    subject: 'You’re invited to Handbill',
    before: [
      `An account has been created for you (${toShownEmail(user.email)}) at ${getHost()}. Choose a password within 7 days:`,
    ],
    action: { label: 'Accept invitation', url },
    after: [
      'The link works once, and only the latest one is valid.',
      'If you weren’t expecting this, ignore this email. No one can use the account until a password is set.',
    ],
  });

/** Sends a password reset link to the active account of an email address, if there is one, it takes emails and email is enabled. */
export const sendResetEmail = async (email: string): Promise<void> => {
  if (!isEmailEnabled()) return;
  const user = await users.findByEmail(email);
  if (!isMailable(user)) return;
  const link = await createResetLink(user.id, user.email);
  if (link !== undefined) await sendMail(composeReset(user, link));
};

/** Sends an invitation to an active user without a password, if email is enabled. */
export const sendInvitation = async (userId: number): Promise<void> => {
  if (!isEmailEnabled()) return;
  const user = await users.find(userId);
  if (!isMailable(user) || user.passwordHash !== undefined) return;
  const link = await createInvitationLink(user.id, user.email);
  if (link !== undefined) await sendMail(composeInvitation(user, link));
};
