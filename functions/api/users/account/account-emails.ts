import type * as z from 'zod';
import {
  isActive,
  isInvited,
  isMailable,
  isReachable,
  type StoredUser,
} from '../../../../shared/auth/user.ts';
import { isPasswordSignInOn } from '../../../../shared/auth/ways-in.ts';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import type { verificationEmail } from '../record/jobs.ts';
import * as users from '../record/users.ts';
import { getAddressToVerify } from './link-token.ts';
import { createInvitationLink, createResetLink } from './password-link.ts';
import { getSignInAddress } from './sign-in-address.ts';
import { createVerificationLink, type VerificationLink } from './verification.ts';

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
      'The link works once, and only the latest one is valid. Resetting your password signs you out on all other devices.',
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

/** Where whoever signs in without a password accepts an invitation: by the address that it is sent to. */
const composeInvitationToSignIn = (user: StoredUser) =>
  compose({
    ...getRecipient(user),
    subject: 'You’re invited to Handbill',
    before: [
      `An account has been created for you at ${getHost()}. Sign in with your address ${toShownEmail(user.email)}:`,
    ],
    action: { label: 'Sign in', url: getSignInAddress() },
    after: [
      'If you weren’t expecting this, ignore this email. No one uses the account until you sign in.',
    ],
  });

const composeVerification = (
  user: StoredUser,
  { url, email }: VerificationLink,
  isReplaced: boolean,
) => {
  const recipient = { ...getRecipient(user), to: email };
  const once =
    'The link works once, and only the latest one is valid. Sign in to this account to use it.';
  if (user.pendingEmail !== undefined) {
    return compose({
      ...recipient,
      subject: 'Confirm your new email address',
      before: [
        `A Handbill account at ${getHost()} is to use the email address ${email}. Confirm it within 24 hours:`,
      ],
      action: { label: 'Confirm email address', url },
      after: [once, 'If you didn’t ask for this, ignore this email. Nothing changes.'],
      signature: `You received this email because ${email} was entered for a Handbill account at ${getHost()}. Replies are not monitored.`,
    });
  }
  const about = isReplaced
    ? `An administrator changed the email address of your Handbill account at ${getHost()} to ${email}.`
    : `A Handbill account at ${getHost()} was created with the email address ${email}.`;
  return compose({
    ...recipient,
    subject: 'Verify your email address',
    before: [`${about} Verify that it’s yours within 24 hours:`],
    action: { label: 'Verify email address', url },
    after: [
      once,
      `If the account isn’t yours, ignore this email. To use the address yourself, choose “Forgot password?” where you sign in: this signs out everyone else.`,
    ],
  });
};

/** Sends a password reset link to the active account of an email address, if there is one, it takes emails and email is enabled. */
export const sendResetEmail = async (email: string): Promise<void> => {
  if (!isMailOn()) return;
  // Undoing a change of the address may have asked for one.
  if (!isPasswordSignInOn()) return;
  const user = await users.findByEmail(email);
  if (!isReachable(user)) return;
  const link = await createResetLink(user.id, user.email);
  if (link !== undefined) await sendMail(composeReset(user, link));
};

/** Sends an invitation to an active user whom nothing signs in yet, if email is enabled. */
export const sendInvitation = async (userId: number): Promise<void> => {
  if (!isMailOn()) return;
  const user = await users.find(userId);
  if (!isMailable(user) || !isInvited(user)) return;
  if (!isPasswordSignInOn()) {
    await sendMail(composeInvitationToSignIn(user));
    return;
  }
  const link = await createInvitationLink(user.id, user.email);
  if (link !== undefined) await sendMail(composeInvitation(user, link));
};

/**
 * Sends an active user the link that verifies an address, if it is still the current or the pending one to verify, it takes
 * emails and email is enabled. `isReplaced` says that an administrator has just set the address.
 */
export const sendVerification = async ({
  userId,
  email,
  isReplaced,
}: z.output<typeof verificationEmail.data>): Promise<void> => {
  if (!isMailOn()) return;
  const user = await users.find(userId);
  if (!user || getAddressToVerify(user) !== email) return;
  // What is known of the current address says nothing about the pending one.
  const isReachable = user.pendingEmail === undefined ? isMailable(user) : isActive(user);
  const link = isReachable ? await createVerificationLink(user) : undefined;
  if (link) await sendMail(composeVerification(user, link, isReplaced === true));
};
