import type { Actor } from '../../../shared/auth/actor.ts';
import type { EmailProblem } from '../../../shared/auth/user.ts';
import { compose } from '../../../shared/mail/layout.ts';
import { sendMailNow } from '../../../shared/mail/mail.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting, isMailOn } from '../../../shared/runtime/settings.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';

const reasons = {
  bounce: 'it bounced one',
  complaint: 'one was reported as spam',
} as const satisfies Record<EmailProblem['reason'], string>;

/**
 * Sends an email to the actor's own address, and returns the address.
 * @throws AppError CONFLICT while email is off, or for an address that takes none; SERVICE_UNAVAILABLE if SES takes none
 */
export const sendTestMail = async ({ user }: Actor): Promise<string> => {
  if (!isMailOn()) {
    throw new AppError('CONFLICT', 'Email is off. Set MAIL_FROM to turn it on.');
  }
  const url = getSetting('PUBLIC_URL');
  const { host } = new URL(url);
  const { email, name, emailProblem } = user;
  if (emailProblem) {
    throw new AppError(
      'CONFLICT',
      `No emails are sent to ${email}: ${reasons[emailProblem.reason]}.`,
    );
  }
  const mail = compose({
    to: email,
    name,
    subject: 'Test email from Handbill',
    before: [`Email works: ${host} can send to ${email}.`],
    action: { label: 'Open settings', url: `${url}/settings` },
    after: ['There is nothing to do.'],
    signature: `You received this email because you asked for it at ${host}. Replies are not monitored.`,
  });
  const outcome = await sendMailNow(mail).catch((error) => {
    getLogger().warn('Test email failed', { error: serializeError(error) });
    return undefined;
  });
  if (outcome === 'rejected') {
    throw new AppError('CONFLICT', `The email service rejects emails to ${email}.`);
  }
  if (outcome === 'throttled') {
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'The email service takes no more emails at the moment. Try again in a few minutes.',
    );
  }
  if (outcome === undefined) {
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'The email service did not take the email. Check that the address in MAIL_FROM is verified and that the account may send.',
    );
  }
  return email;
};
