import type { StoredUser } from '../../../../shared/auth/user.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { compose } from '../../../../shared/mail/layout.ts';
import { sendMail } from '../../../../shared/mail/mail.ts';
import type { Notice } from '../../../../shared/notifications/notification.ts';
import { notifyEach } from '../../../../shared/notifications/notify.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { type SecurityAlert, securityAlertEmail } from '../record/jobs.ts';
import * as users from '../record/users.ts';
import { createUndoLink } from './email-undo.ts';
import { formatTime, getSecurityTexts } from './security-texts.ts';

const toNotificationContent = (alert: SecurityAlert): Notice => {
  const { title, content } = getSecurityTexts(alert);
  const topic = alert.event === 'new-sign-in' ? 'newSignIns' : 'security';
  return { topic, type: 'alert', title, content, link: '/account' };
};

/** Notifies the owner once, also when repeated, and enqueues the email in the same transaction. */
export const deliverAlert = async (alert: SecurityAlert): Promise<void> => {
  const isEmailed = isMailOn() && alert.email !== undefined;
  const createRequest = () => ({
    notice: toNotificationContent(alert),
    email: isEmailed ? enqueueWrite(securityAlertEmail, alert) : ('none' as const),
  });
  await notifyEach([alert.userId], createRequest, `security#${alert.id}`);
};

type UndoLink = Awaited<ReturnType<typeof createUndoLink>>;

/** Returns what the button is called. Who is leaving is led from the account to where it can be kept. */
const getLabel = (event: SecurityAlert['event']): string =>
  event === 'account-leaving' ? 'Keep my account' : 'Review your account';

const composeAlert = (
  alert: SecurityAlert,
  email: string,
  { name }: StoredUser,
  undo: UndoLink,
) => {
  const { title, content, whatNext, turnOff } = getSecurityTexts(alert);
  const url = getSetting('PUBLIC_URL');
  const { host } = new URL(url);
  const isFormer = alert.event === 'email-changed' || alert.event === 'email-replaced';
  const about = `${content} This is about the Handbill account ${toShownEmail(email)} at ${host}.`;
  const [before, after, action] = undo
    ? [
        [
          about,
          `If it wasn’t you, restore your email address by ${formatTime(undo.until)}. This also ends your password, all sessions and all API tokens.`,
        ],
        ['The link works once. If this was you, there is nothing to do.'],
        { label: 'Restore my email address', url: undo.url },
      ]
    : [
        [about],
        [
          'If this was you, there is nothing to do.',
          whatNext,
          ...(turnOff === undefined ? [] : [turnOff]),
        ],
        // After an account takeover, the owner may be unable to use these pages.
        isFormer ? undefined : { label: getLabel(alert.event), url: `${url}/account` },
      ];
  return compose({
    to: email,
    name,
    subject: title,
    before,
    ...(action && { action }),
    after,
    signature: `You received this email because you have a Handbill account (${toShownEmail(email)}) at ${host}. Replies are not monitored.`,
  });
};

/** Emails the owner at the account's former address, if email is enabled, the address takes emails and the account still exists. */
export const sendAlertEmail = async (alert: SecurityAlert): Promise<void> => {
  const { email } = alert;
  if (!isMailOn() || email === undefined) return;
  const user = await users.find(alert.userId);
  if (!user || (user.emailProblem && user.email === email)) return;
  const undo = alert.event === 'email-changed' ? await createUndoLink(user, alert.id) : undefined;
  await sendMail(composeAlert(alert, email, user, undo));
};
