import { createUndoLink } from '../../../functions/api/users/account/email-undo.ts';
import { create, update } from '../../../functions/api/users/record/users.ts';
import { systemAudit } from '../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../shared/auth/passwords.ts';
import { newEmail, password } from './test-users.ts';

export const tokenOfLink = (link: string | undefined): string =>
  new URL(link ?? '').searchParams.get('token') ?? '';

/** Returns the token of an undo link after a change of a new user's email address. */
export const newUndoToken = async (nextEmail = newEmail): Promise<string> => {
  const { MAIL_FROM: former } = process.env;
  process.env['MAIL_FROM'] = 'handbill@example.com';
  try {
    const { id } = await create(
      {
        email: nextEmail(),
        name: 'Ann Example',
        role: 'user',
        passwordHash: await hashPassword(password),
      },
      systemAudit('user.create'),
    );
    const email = nextEmail();
    const { user } = await update(id, () => ({ email }), systemAudit('user.update'));
    return tokenOfLink((await createUndoLink(user, user.formerEmails?.[0]?.id ?? ''))?.url);
  } finally {
    if (former === undefined) delete process.env['MAIL_FROM'];
    else process.env['MAIL_FROM'] = former;
  }
};
