import { setting } from '../../shared/settings.ts';
import type { StoredUser } from '../../shared/user.ts';
import { sendMail } from '../jobs/mail.ts';
import { compose } from '../jobs/mail-layout.ts';
import { jobWrite } from '../jobs/outbox.ts';
import type { Notice } from '../notifications/notification.ts';
import { notifyEach } from '../notifications/notify.ts';
import * as users from '../users/users.ts';
import { type SecurityAlert, securityAlertMail } from './jobs.ts';
import { securityTexts } from './security-texts.ts';

const noticeOf = (alert: SecurityAlert): Notice => {
  const { title, content } = securityTexts(alert);
  return { type: 'alert', title, content, link: '/account' };
};

/** Notifies the owner once, however often this is asked for, and asks for the mail in the same transaction. */
export const deliverAlert = async (alert: SecurityAlert): Promise<void> => {
  const isMailOn = setting('MAIL_FROM') !== undefined;
  const telling = () => ({
    notice: noticeOf(alert),
    ...(isMailOn && { alongside: { mail: jobWrite(securityAlertMail, alert) } }),
  });
  await notifyEach([alert.userId], telling, `security#${alert.id}`);
};

const alertMail = (alert: SecurityAlert, { name }: StoredUser) => {
  const { title, content, whatNext } = securityTexts(alert);
  const url = setting('PUBLIC_URL');
  const { host } = new URL(url);
  const { email } = alert;
  const isFormer = alert.event === 'email-changed';
  return compose({
    to: email,
    name,
    subject: title,
    before: [`${content} This is about the Handbill account ${email} at ${host}.`],
    // Whoever has lost the address to another may be unable to use these pages.
    ...(!isFormer && { action: { label: 'Review your account', url: `${url}/account` } }),
    after: ['If this was you, there is nothing to do.', whatNext],
    signature: `You received this email because you have a Handbill account (${email}) at ${host}. Replies are not monitored.`,
  });
};

/** Mails the owner at the address that the account had, if mail is on and the account is still there. */
export const sendAlertMail = async (alert: SecurityAlert): Promise<void> => {
  if (setting('MAIL_FROM') === undefined) return;
  const user = await users.find(alert.userId);
  if (user) await sendMail(alertMail(alert, user));
};
