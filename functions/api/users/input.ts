import * as z from 'zod';
import { NewPassword } from '../../../shared/auth/new-password.ts';
import {
  changeSettings,
  NotificationSettingsInput,
} from '../../../shared/auth/notification-settings.ts';
import { OwnUser, statuses, User } from '../../../shared/auth/user.ts';
import { Email, label, oneLine, optional } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import { TimeZone } from '../../../shared/input/time-zone.ts';
import { isPermission } from '../../../shared/permissions/permissions.ts';
import { Username } from './record/username.ts';

/** A display name. */
export const Name = label(100).min(2);

/** A permission that a route can require, all of a resource such as `users:*`, or `*`. */
export const Permission = z
  .string()
  .refine(isPermission, 'must be a permission, for example users:view, users:* or *');

const profile = {
  avatar: optional(
    oneLine(2_000).check(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })),
  ),
  phone: optional(
    z
      .string()
      .trim()
      .regex(/^[+\d][\d ()./-]{2,30}$/, 'must be a phone number'),
  ),
  timezone: optional(TimeZone),
};

const role = z
  .string()
  .max(32)
  .meta({ description: 'The name of a role, as in `GET /api/roles`.' });
const extraPermissions = z.array(Permission).max(100);
const status = z.enum(statuses, `must be one of ${statuses.join(', ')}`);

const example = { email: 'bob@example.com', name: 'Bob Example', role: 'user' };

/** The body of `POST /api/users`. */
export const CreateUserInput = z
  .object({
    email: Email,
    name: Name,
    // A password can consist of spaces.
    password: optional(NewPassword, (text) => text === '').meta({
      description:
        'The password, none of the 10,000 best-known ones. Without it, the user is invited.',
    }),
    username: optional(Username),
    role: optional(role),
    permissions: optional(extraPermissions).meta({
      description:
        'Permissions beyond those of the role. The default is the setting NEW_USER_PERMISSIONS; `[]` is none.',
    }),
    status: optional(status),
    ...profile,
  })
  .meta({ id: 'CreateUserInput', examples: [example] });

const names = { email: Email.optional(), name: Name.optional(), username: Username.optional() };

const userChange = recordChange(
  User,
  {
    ...names,
    role: role.optional(),
    permissions: extraPermissions.optional().meta({
      description:
        'All permissions, including those of the role. `[]` removes those beyond the role.',
    }),
    status: status.optional(),
    ...profile,
  },
  {
    elsewhere: {
      password:
        'can only be changed by the user, with PUT /api/auth/password or a link from POST /api/auth/forgot-password',
    },
    sets: ['permissions'],
  },
);

/** The body of `PUT /api/users/{id}`: changes the fields that are sent; null clears an optional one. */
export const UpdateUserInput = z
  .object(userChange.shape)
  .meta({ id: 'UpdateUserInput', examples: [{ status: 'suspended' }] });

/** Returns the fields of a body that differ from the user as the API shows it. */
export const toUserChanges = userChange.changes;

const byAdmins = 'can only be changed by an administrator, with PUT /api/users/{id}';

const profileChange = recordChange(
  OwnUser,
  {
    ...names,
    currentPassword: optional(z.string().max(256), (text) => text === ''),
    ...profile,
    notificationSettings: NotificationSettingsInput.optional().meta({
      description: 'Only the topics and channels to change.',
    }),
  },
  {
    elsewhere: {
      password: 'can only be changed with PUT /api/auth/password',
      role: byAdmins,
      permissions: byAdmins,
      status: byAdmins,
    },
    sets: ['permissions'],
  },
);

/** The body of `PUT /api/users/me`. Changing the email address requires the password. */
export const UpdateProfileInput = z.object(profileChange.shape).meta({
  id: 'UpdateProfileInput',
  examples: [{ name: 'Ann B. Example', timezone: 'Europe/Berlin' }],
});

/** Returns the fields of a body that differ from the caller's profile as the API shows it, with all settings or none. */
export const toProfileChanges = (
  { notificationSettings, ...body }: z.output<typeof UpdateProfileInput>,
  shown: z.output<typeof OwnUser>,
) => {
  const settings =
    notificationSettings && changeSettings(shown.notificationSettings, notificationSettings);
  return profileChange.changes({ ...body, notificationSettings: settings }, shown);
};
