import * as z from 'zod';
import { itemParser } from '../db/item-parser.ts';
import {
  type CustomRoles,
  getEffectivePermissions,
  type RemovedPermissions,
} from '../permissions/roles.ts';
import { toShownEmail } from '../text/email-address.ts';
import {
  getSettings,
  NotificationSettings,
  type StoredNotificationSettings,
} from './notification-settings.ts';
import type { FactorMethod } from './second-factors.ts';
import type { SignOutReason } from './sign-out-reason.ts';

export const statuses = ['active', 'inactive', 'suspended'] as const;

/** Why an email address takes no emails: it rejected one for good, or its owner reported one as spam. */
export const emailProblems = ['bounce', 'complaint'] as const;

/** Why a user gets no emails (decisions.md#jobs). */
export interface EmailProblem {
  readonly reason: (typeof emailProblems)[number];
  /** ISO 8601. */
  readonly since: string;
}

/** A former email address that can still be restored. */
export interface FormerEmail {
  /** Identifies the change. */
  readonly id: string;
  readonly email: string;
  /** When the address was replaced (ISO 8601). */
  readonly changedAt: string;
  /** Until when the change can be undone (ISO 8601). */
  readonly until: string;
  /** The account's `factorEpoch` then, if it had one: undoing ends the second factors that have changed since. */
  readonly factorEpoch?: number;
}

/** A user as stored, without keys. */
export interface StoredUser {
  readonly id: number;
  readonly email: string;
  /** When the address was proven to be the user's (ISO 8601, decisions.md#proven-addresses). Absent for an unproven one. */
  readonly emailVerifiedAt?: string;
  /** The address that becomes the user's once it is confirmed. */
  readonly pendingEmail?: string;
  /** SHA-256 of the newest verification link's secret, and when the link expires. */
  readonly emailTokenHash?: string;
  readonly emailTokenExpiresAt?: string;
  readonly username: string;
  readonly name: string;
  /** A built-in role, or a custom one, which may have been deleted. */
  readonly role: string;
  /** Permissions granted in addition to the role. */
  readonly extraPermissions: readonly string[];
  /** What administrators say; whether the owner is leaving is `deletesAt`. `isActive` and `isSuspended` consider both. */
  readonly status: (typeof statuses)[number];
  /** When the account is deleted, which its owner has asked for (ISO 8601, decisions.md#leaving). Absent unless it waits for that. */
  readonly deletesAt?: string;
  /** Absent until a password is set. */
  readonly passwordHash?: string;
  /** The kinds of second factors that the user has. Absent without any: then the password alone signs in. */
  readonly secondFactors?: readonly FactorMethod[];
  /** Whether an account of a provider is connected, which signs in in place of a password. Absent without any. */
  readonly hasIdentity?: true;
  /** Advances with each change of the factors. Absent before the first one. */
  readonly factorEpoch?: number;
  readonly avatar?: string;
  readonly phone?: string;
  readonly timezone?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastLoginAt?: string;
  readonly version: number;
  /** SHA-256 of the newest password link's secret, and when the link expires. */
  readonly passwordTokenHash?: string;
  readonly passwordTokenExpiresAt?: string;
  /** Sessions of an earlier epoch have ended. Incrementing it ends all sessions in one write. */
  readonly sessionEpoch: number;
  /** Why the sessions of the epoch before ended. */
  readonly sessionsEndedBy?: SignOutReason;
  /** The same for API tokens. Absent before the first revocation of all. */
  readonly tokenEpoch?: number;
  /** Oldest first. Absent before the first change. */
  readonly formerEmails?: readonly FormerEmail[];
  /** Absent if none were removed lately. */
  readonly removedPermissions?: RemovedPermissions;
  /** Codes of the places the user has signed in from, separated by spaces. Absent before the first sign-in. */
  readonly signInPlaces?: string;
  /** Absent while the email address takes emails, as far as known. */
  readonly emailProblem?: EmailProblem;
  /** Absent if the user has changed none. */
  readonly notificationSettings?: StoredNotificationSettings;
  /** The own events that the user's active webhooks want, or `*` for all. Absent if none wants any. */
  readonly webhookEvents?: readonly string[];
  /** Advances with each change of the user's webhooks. Absent before the first one. */
  readonly webhookChanges?: number;
}

/** Parses a stored user. */
export const parseUser = itemParser<StoredUser>('user', ['id', 'name', 'role', 'status']);

/** Returns whether a user has yet to accept an invitation: nothing signs in yet. */
export const isInvited = ({
  passwordHash,
  hasIdentity,
  lastLoginAt,
}: Pick<StoredUser, 'passwordHash' | 'hasIdentity' | 'lastLoginAt'>): boolean =>
  // Codes by email sign in who has neither.
  passwordHash === undefined && !hasIdentity && lastLoginAt === undefined;

type Standing = Pick<StoredUser, 'status' | 'deletesAt'>;

/** Returns whether the owner of an account may sign in, also to keep one that waits to be deleted. */
export const canSignIn = ({ status }: Pick<StoredUser, 'status'>): boolean => status === 'active';

/** Returns whether an account waits to be deleted: only its owner still sees it. */
export const isLeaving = ({ deletesAt }: Pick<StoredUser, 'deletesAt'>): boolean =>
  deletesAt !== undefined;

/** Returns whether a user takes part: may sign in, and isn't leaving. */
export const isActive = (user: Standing): boolean => canSignIn(user) && !isLeaving(user);

/** Returns whether what a user shows to others is closed to them: administrators have suspended the user, or the user is leaving. */
export const isSuspended = (user: Standing): boolean =>
  user.status === 'suspended' || isLeaving(user);

/** Returns whether an email can bring a user to the account: the owner may sign in, and the address takes emails. */
export const isReachable = (user: StoredUser | undefined): user is StoredUser =>
  user !== undefined && canSignIn(user) && user.emailProblem === undefined;

/** Returns whether emails can be sent to a user: active, with an address that takes them. */
export const isMailable = (user: StoredUser | undefined): user is StoredUser =>
  isReachable(user) && !isLeaving(user);

export const exampleUser = {
  id: 244_212_480_000_000,
  email: 'ann@example.com',
  emailVerified: true,
  emailProblem: null,
  username: 'ann',
  name: 'Ann Example',
  role: 'user',
  permissions: ['documents:view', 'files:view', 'messages:view', 'calendar:view'],
  status: 'active' as const,
  deletesAt: null,
  invited: false,
  avatar: null,
  phone: null,
  timezone: null,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  lastLoginAt: null,
  version: 1,
};

/** A user in API responses. */
export const User = z
  .object({
    id: z.int().positive(),
    email: z.string(),
    emailVerified: z.boolean().meta({
      description: 'Whether the address was proven to be the user’s, for instance by a link.',
    }),
    emailProblem: z
      .object({ reason: z.enum(emailProblems), since: z.iso.datetime() })
      .nullable()
      .meta({
        description:
          'Why no emails are sent to this address: one bounced, or was reported as spam. `null`: they are.',
      }),
    username: z.string(),
    name: z.string(),
    role: z.string().meta({ description: 'The name of a role, as in `GET /api/roles`.' }),
    permissions: z.array(z.string()),
    status: z.enum(statuses),
    deletesAt: z.iso.datetime().nullable().meta({
      description:
        'When the account is deleted, which its owner has asked for. `null`: it stays. Until then others see it as a suspended one, and signing in keeps it.',
    }),
    invited: z.boolean().meta({
      description:
        'Whether the user has yet to accept an invitation: there is no password and no connected account, and nobody has signed in.',
    }),
    avatar: z.string().nullable(),
    phone: z.string().nullable(),
    timezone: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    lastLoginAt: z.iso.datetime().nullable(),
    version: z.int().positive(),
  })
  .meta({ id: 'User', examples: [exampleUser] });

export type User = z.output<typeof User>;

export const exampleOwnUser = {
  ...exampleUser,
  pendingEmail: null,
  notificationSettings: getSettings(),
};

/** The caller's own user in API responses. */
export const OwnUser = User.extend({
  pendingEmail: z.string().nullable().meta({
    description: 'The address that replaces `email` once the link sent to it is confirmed.',
  }),
  notificationSettings: NotificationSettings.meta({
    description:
      'What you are told of, by the bell (`GET /api/notifications`) and by email. Emails need the setting MAIL_FROM.',
  }),
}).meta({ id: 'OwnUser', examples: [exampleOwnUser] });

/** Converts a user for API responses. `permissions` contains the effective permissions. */
export const toUser = (stored: StoredUser, roles: CustomRoles): User => ({
  id: stored.id,
  email: toShownEmail(stored.email),
  emailVerified: stored.emailVerifiedAt !== undefined,
  emailProblem: stored.emailProblem ?? null,
  username: stored.username,
  name: stored.name,
  role: stored.role,
  permissions: getEffectivePermissions(stored, roles),
  status: stored.status,
  deletesAt: stored.deletesAt ?? null,
  invited: isInvited(stored),
  avatar: stored.avatar ?? null,
  phone: stored.phone ?? null,
  timezone: stored.timezone ?? null,
  created_at: stored.createdAt,
  updated_at: stored.updatedAt,
  createdAt: stored.createdAt,
  updatedAt: stored.updatedAt,
  lastLoginAt: stored.lastLoginAt ?? null,
  version: stored.version,
});

/** Converts the caller's own user for API responses. */
export const toOwnUser = (stored: StoredUser, roles: CustomRoles): z.output<typeof OwnUser> => ({
  ...toUser(stored, roles),
  pendingEmail: stored.pendingEmail ?? null,
  notificationSettings: getSettings(stored.notificationSettings),
});
