import type * as z from 'zod';
import { readRolesOf } from '../../../shared/auth/custom-roles.ts';
import { getSettings, type NotificationTopic } from '../../../shared/auth/notification-settings.ts';
import { isMailable } from '../../../shared/auth/user.ts';
import { compose, isLinkLike } from '../../../shared/mail/layout.ts';
import { sendMail } from '../../../shared/mail/mail.ts';
import type { notificationEmail } from '../../../shared/notifications/jobs.ts';
import { toPagePath } from '../../../shared/notifications/page-path.ts';
import { can, type Permission } from '../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../shared/permissions/roles.ts';
import { getSetting, isMailOn } from '../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../shared/text/email-address.ts';
import { readUsers } from '../../../shared/users/person.ts';

type NotificationEmail = z.output<typeof notificationEmail.data>;

/** Keeps texts of other users that email clients would turn into links out of the email. */
const keepPlain = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' || isLinkLike(text) ? [] : [text];

/**
 * Emails a notification, if email is enabled, and the user can be emailed, still wants emails about the topic and may read the
 * content.
 */
export const sendNotificationEmail = async ({
  userId,
  topic,
  title,
  content,
  permission,
  link,
  sender,
}: NotificationEmail): Promise<void> => {
  if (!isMailOn()) return;
  const user = (await readUsers([userId])).get(userId);
  if (!isMailable(user)) return;
  if (!getSettings(user.notificationSettings)[topic as NotificationTopic].mail) return;
  if (permission !== undefined) {
    const held = getEffectivePermissions(user, await readRolesOf([user]));
    if (!can(held, permission as Permission)) return;
  }
  const url = getSetting('PUBLIC_URL');
  await sendMail(
    compose({
      to: user.email,
      name: user.name,
      subject: title,
      before: [...keepPlain(sender?.name).map((name) => `From ${name}:`), ...keepPlain(content)],
      action: { label: 'Open', url: `${url}${toPagePath(link ?? '/notifications')}` },
      after: ['You can turn off these emails on the page of notifications, under Settings.'],
      signature: `You received this email because you have a Handbill account (${toShownEmail(user.email)}) at ${new URL(url).host}. Replies are not monitored.`,
    }),
  );
};
