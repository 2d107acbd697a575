import type * as z from 'zod';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import type { accountDeletedEmail } from '../record/jobs.ts';

/** Tells the former owner of an account that it is deleted, if email is enabled. */
export const sendDeleted = async ({
  email,
  name,
}: z.output<typeof accountDeletedEmail.data>): Promise<void> => {
  if (!isMailOn()) return;
  const { host } = new URL(getSetting('PUBLIC_URL'));
  await sendMail(
    compose({
      to: email,
      name,
      subject: 'Your account is deleted',
      before: [
        `Your Handbill account at ${host} is deleted, as you asked seven days ago. It can’t be restored.`,
      ],
      after: ['Messages that you sent stay with those who received them, under your name.'],
      signature: `You received this email because you had a Handbill account (${toShownEmail(email)}) at ${host}. It’s the last one. Replies are not monitored.`,
    }),
  );
};
