import type { StoredUser } from '../../../../shared/auth/user.ts';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import * as users from '../record/users.ts';
import { createInvitationLink, createResetLink } from './password-link.ts';

const isMailOn = (): boolean => getSetting('MAIL_FROM') !== undefined;

/** Where this service is, as its users know it. */
const host = (): string => new URL(getSetting('PUBLIC_URL')).host;

const addressed = ({ email, name }: StoredUser) => ({
  to: email,
  name,
  signature: `Sent by Handbill at ${host()} because of your account ${email}. Nobody reads replies.`,
});

const resetMail = (user: StoredUser, url: string) =>
  compose({
    ...addressed(user),
    subject: 'Set a new Handbill password',
    before: [
      `Somebody asked to set a new password for the account ${user.email} at ${host()}. If that was you, set it within an hour:`,
    ],
    action: { label: 'Set a new password', url },
    after: [
      'The link works once, and only the newest one does. Setting the password signs you out everywhere.',
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
  });

const invitationMail = (user: StoredUser, url: string) =>
  compose({
    ...addressed(user),
    subject: 'You are invited to Handbill',
    before: [
      `An account was made for you, ${user.email}, at ${host()}. To use it, choose a password within 7 days:`,
    ],
    action: { label: 'Choose a password', url },
    after: [
      'The link works once, and only the newest one does.',
      'If you did not expect this, there is nothing to do: nobody can sign in to the account before a password is chosen.',
    ],
  });

/** Sends a link to a new password to the account of this e-mail address, if there is an active one and mail is on. */
export const sendResetEmail = async (email: string): Promise<void> => {
  if (!isMailOn()) return;
  const user = await users.findByEmail(email);
  if (user?.status !== 'active') return;
  const link = await createResetLink(user.id, user.email);
  if (link !== undefined) await sendMail(resetMail(user, link));
};

/** Sends an invitation to an active user who has no password yet, if mail is on. */
export const sendInvitation = async (userId: number): Promise<void> => {
  if (!isMailOn()) return;
  const user = await users.find(userId);
  if (user?.status !== 'active' || user.passwordHash !== undefined) return;
  const link = await createInvitationLink(user.id, user.email);
  if (link !== undefined) await sendMail(invitationMail(user, link));
};
