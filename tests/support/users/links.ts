import { createUndoLink } from '../../../functions/api/users/account/email-undo.ts';
import {
  createInvitationLink,
  createResetLink,
} from '../../../functions/api/users/account/password-link.ts';
import { createVerificationLink } from '../../../functions/api/users/account/verification.ts';
import { get, update } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { whileMailIsOn } from '../service/mail.ts';
import { newAccount, newEmail } from './test-users.ts';

export const tokenOfLink = (link: string | undefined): string =>
  new URL(link ?? '').searchParams.get('token') ?? '';

/** Returns the token of a new link for a user to reset the password. */
export const newResetToken = async (id: number): Promise<string> =>
  tokenOfLink(await createResetLink(id));

/** Returns the token of a new link for a user without a password. */
export const newInvitationToken = async (id: number): Promise<string> =>
  tokenOfLink(await createInvitationLink(id));

/** Returns the token of a new link that verifies the address of a user, or confirms the new one. */
export const newVerificationToken = async (id: number): Promise<string> =>
  tokenOfLink((await createVerificationLink(await get(id)))?.url);

/** Returns the token of an undo link after a change of a new user's email address. */
export const newUndoToken = (nextEmail = newEmail): Promise<string> =>
  whileMailIsOn(async () => {
    const emailVerifiedAt = new Date().toISOString();
    const { id } = await newAccount({ email: nextEmail(), name: 'Ann Example', emailVerifiedAt });
    const email = nextEmail();
    const { user } = await update(id, () => ({ email }), systemRecorder('user.update'));
    return tokenOfLink((await createUndoLink(user, user.formerEmails?.[0]?.id ?? ''))?.url);
  });
