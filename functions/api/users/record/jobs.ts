import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';

export const invitationMail = defineJob('invitation-email', z.object({ userId: z.int() }), {
  once: true,
});

/** Brings what a user owns in line with what became of the user: suspended, active again, removed. */
export const userReconciliation = defineJob(
  'reconcile-user',
  z.object({
    userId: z.int(),
    transferTo: z.int().optional(),
    removedAt: z.int().optional(),
    sharesAfter: z.string().optional(),
  }),
);

export const resetMail = defineJob('password-reset-email', z.object({ email: z.string() }), {
  once: true,
});

/** What happens to an account that its owner has to learn of. */
const SecurityAlert = z.object({
  /** Names this one time. */
  id: z.string(),
  userId: z.int(),
  event: z.enum([
    'password-changed',
    'password-reset',
    'email-changed',
    'token-created',
    'new-sign-in',
  ]),
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** The address that the account had before it happened: that of a later change may be somebody else's. */
  email: z.string(),
  /** The name of a new API token. */
  token: z.string().optional(),
  /** Of a sign-in: the family of the device that it came from, where that is known, and the network. */
  device: z.string().optional(),
  network: z.string().optional(),
});
export type SecurityAlert = z.output<typeof SecurityAlert>;

/** Notifies the owner, and asks for the mail. */
export const securityAlert = defineJob('security-alert', SecurityAlert);

export const securityAlertMail = defineJob('security-alert-mail', SecurityAlert, { once: true });
