import type * as z from 'zod';
import { isMailable } from '../../../../shared/auth/user.ts';
import { findExport } from '../../../../shared/exports/export-store.ts';
import { describeExport } from '../../../../shared/exports/export-texts.ts';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { readUsers } from '../../../../shared/users/person.ts';
import type { exportEmail } from './jobs.ts';

/**
 * Emails a user that an export is ready, or why it failed, if email is enabled and the export still exists. The email leads to
 * the account: a link to the file would be all of the user's data for whoever reads the email.
 */
export const sendExportEmail = async ({
  userId,
  id,
}: z.output<typeof exportEmail.data>): Promise<void> => {
  if (!isMailOn()) return;
  const [users, ended] = await Promise.all([readUsers([userId]), findExport(userId, id)]);
  const user = users.get(userId);
  if (!isMailable(user) || !ended) return;
  const { title, content } = describeExport(ended);
  const url = getSetting('PUBLIC_URL');
  await sendMail(
    compose({
      to: user.email,
      name: user.name,
      subject: title,
      before: [content],
      action: { label: 'Open your account', url: `${url}/account?tab=security#your-data` },
      after: ['If you didn’t ask for this, change your password and end your sessions there.'],
      signature: `You received this email because you have a Handbill account (${toShownEmail(user.email)}) at ${new URL(url).host}. Replies are not monitored.`,
    }),
  );
};
