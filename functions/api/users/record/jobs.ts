import * as z from 'zod';
import { emailProblems } from '../../../../shared/auth/user.ts';
import { defineEmail, defineJob } from '../../../../shared/jobs/job-type.ts';

/** Emails an invitation to a user. */
export const invitationEmail = defineEmail('invitation-email', z.object({ userId: z.int() }));

/** Marks the accounts whose addresses bounced an email or complained about one. SES's events are sent as such jobs. */
export const emailRefused = defineJob(
  'email-refused',
  z.object({
    reason: z.enum(emailProblems),
    /** ISO 8601. */
    at: z.iso.datetime(),
    recipients: z.array(z.object({ emailAddress: z.string() })).max(50),
  }),
);

/** Brings a user's records in line with the user's status: suspended, active or removed. */
export const userReconciliation = defineJob(
  'reconcile-user',
  z.object({
    userId: z.int(),
    transferTo: z.int().optional(),
    removedAt: z.int().optional(),
    part: z.int().optional(),
    sharesAfter: z.string().optional(),
  }),
);

/** Emails a password reset link, unless too many were asked for. */
export const passwordResetEmail = defineEmail(
  'password-reset-email',
  z.object({ email: z.string(), isExcess: z.literal(true).optional() }),
);

/** Emails a code and a link that sign in to the account of an address, if there is one. Only this message has both as they are. */
export const signInCodeEmail = defineEmail(
  'sign-in-code-email',
  z.object({
    email: z.string(),
    /** Six digits. */
    code: z.string(),
    /** What is stored of the code. */
    hashed: z.object({ id: z.string(), hash: z.string(), kid: z.string() }),
    /** The token of the link. */
    token: z.string(),
    /** The network of who asked. */
    network: z.string(),
  }),
);

/** Emails the link that verifies an address of a user, which is the current or the pending one. */
export const verificationEmail = defineEmail(
  'verification-email',
  z.object({
    userId: z.int(),
    email: z.string(),
    /** Whether an administrator has just set the address. */
    isReplaced: z.literal(true).optional(),
  }),
);

/** Emails the former owner of an account that was deleted when its owner had left. The account is gone by then. */
export const accountDeletedEmail = defineEmail(
  'account-deleted-email',
  z.object({ email: z.string(), name: z.string() }),
);

/** A security event of an account that its owner is notified of. */
const SecurityAlert = z.object({
  /** Identifies the event. */
  id: z.string(),
  userId: z.int(),
  event: z.enum([
    'password-changed',
    'password-reset',
    'email-requested',
    'email-changed',
    'email-replaced',
    'token-created',
    'app-allowed',
    'new-sign-in',
    'factor-added',
    'factor-removed',
    'factors-reset',
    'codes-created',
    'code-used',
    'code-failed',
    'passkey-copied',
    'identity-connected',
    'identity-removed',
    'account-leaving',
    'account-kept',
    'webhook-created',
  ]),
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** The address of the account before the event: a later one may belong to someone else. Absent if it takes no emails. */
  email: z.string().optional(),
  /** The name of a new API token, a connected app or a provider, or the host of a new webhook. */
  token: z.string().optional(),
  /** When the account is deleted (ISO 8601). */
  deletesAt: z.iso.datetime().optional(),
  /** The device family, if known, and the network of a sign-in. */
  device: z.string().optional(),
  network: z.string().optional(),
});
export type SecurityAlert = z.output<typeof SecurityAlert>;

/** Notifies the owner and enqueues the email. */
export const securityAlert = defineJob('security-alert', SecurityAlert);

/** Emails the owner about a security event. */
export const securityAlertEmail = defineEmail('security-alert-email', SecurityAlert);
