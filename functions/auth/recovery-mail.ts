import { setting } from '../../shared/settings.ts';
import { sendMail } from '../jobs/mail.ts';
import * as users from '../users/users.ts';
import { newResetLink } from './recovery.ts';

/** Sends a link to a new password to the account of this e-mail address, if there is an active one and mail is on. */
export const sendResetMail = async (email: string): Promise<void> => {
  const user = await users.findByEmail(email);
  if (user?.status !== 'active' || setting('MAIL_FROM') === undefined) return;
  const link = await newResetLink(user.id);
  if (link === undefined) return;
  const text = `Set a new password within an hour at\n${link}\n`;
  await sendMail({ to: user.email, subject: 'Your new password', text, html: `<p>${link}</p>` });
};

/** Sends an invitation to a user who has no password yet, if mail is on. */
export const sendInvitation = async (userId: number): Promise<void> => {
  const user = await users.find(userId);
  if (!user || user.passwordHash !== undefined || setting('MAIL_FROM') === undefined) return;
  const link = await newResetLink(user.id);
  if (link === undefined) return;
  const text = `You are invited: set your password at\n${link}\n`;
  await sendMail({ to: user.email, subject: 'You are invited', text, html: `<p>${link}</p>` });
};
