import type * as z from 'zod';
import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import type { EmailProblem, StoredUser } from '../../../../shared/auth/user.ts';
import { notifyEach } from '../../../../shared/notifications/notify.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import type { emailRefused } from '../record/jobs.ts';
import * as users from '../record/users.ts';

const contents = {
  bounce: 'The address didn’t take an email',
  complaint: 'An email was reported as spam',
} as const satisfies Record<EmailProblem['reason'], string>;

/** Tells the user by the bell, once for each mark. */
const tell = async ({ id, email }: StoredUser, { reason, since }: EmailProblem): Promise<void> => {
  const createRequest = () => ({
    notice: {
      topic: 'security' as const,
      type: 'alert' as const,
      title: `No more emails to ${toShownEmail(email)}`,
      content: `${contents[reason]}, so none are sent to it. Enter another one in your account.`,
      link: '/account',
    },
    email: 'none' as const,
  });
  await notifyEach([id], createRequest, `email-refused#${since}`);
};

/**
 * Stops emails to addresses that bounced one or complained about one, and tells their users. A user who has another address by
 * now isn't concerned.
 */
export const markRefused = async ({
  reason,
  at,
  recipients,
}: z.output<typeof emailRefused.data>): Promise<void> => {
  for (const { emailAddress } of recipients) {
    const found = await users.findByEmail(emailAddress);
    if (!found) continue;
    const mark = ({ email, emailProblem }: StoredUser): users.UserEdit =>
      email === found.email && !emailProblem ? { emailProblem: { reason, since: at } } : {};
    const { user } = await users.update(found.id, mark, systemRecorder('user.update'));
    if (user.emailProblem) await tell(user, user.emailProblem);
  }
};
