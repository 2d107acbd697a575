import type * as z from 'zod';
import { addCode } from '../../../../shared/auth/email-codes/add-code.ts';
import { isInvited, isReachable, type StoredUser } from '../../../../shared/auth/user.ts';
import { isEmailSignInOn } from '../../../../shared/auth/ways-in.ts';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import type { signInCodeEmail } from '../record/jobs.ts';
import * as users from '../record/users.ts';
import { getSignInCodePlace } from './sign-in-code.ts';

/** What else signing in does, where the address isn't proven yet (decisions.md#sign-in-by-email). */
const getTakeOver = (user: StoredUser): readonly string[] =>
  user.emailVerifiedAt !== undefined || isInvited(user)
    ? []
    : [
        'Your email address isn’t verified yet. Signing in verifies it, signs out everyone else, and removes the password and whatever else signs in to the account.',
      ];

const composeCode = (user: StoredUser, code: string, url: string) => {
  const { email, name } = user;
  const { host } = new URL(getSetting('PUBLIC_URL'));
  return compose({
    to: email,
    name,
    subject: `${code.slice(0, 3)} ${code.slice(3)} is your sign-in code`,
    before: [
      `Enter it to sign in at ${host}, or use the link. Both work for 10 minutes, and once.`,
    ],
    code,
    action: { label: 'Sign in', url },
    after: [
      ...getTakeOver(user),
      'If you didn’t try to sign in, ignore this email. No one can sign in without it. Give the code to no one.',
    ],
    signature: `You received this email because you have a Handbill account (${toShownEmail(email)}) at ${host}. Replies are not monitored.`,
  });
};

/**
 * Sends a code and a link that sign in to the active account of an email address, if there is one, it takes emails and no limit
 * is reached.
 */
export const sendSignInCode = async ({
  email,
  code,
  hashed,
  token,
  network,
}: z.output<typeof signInCodeEmail.data>): Promise<void> => {
  if (!isEmailSignInOn()) return;
  const user = await users.findByEmail(email);
  if (!isReachable(user)) return;
  const { isNewest } = await addCode(getSignInCodePlace(user), hashed, network);
  if (!isNewest) return;
  const url = `${getSetting('PUBLIC_URL')}/login/email#token=${token}`;
  await sendMail(composeCode(user, code, url));
};
