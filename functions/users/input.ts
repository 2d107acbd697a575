import * as z from 'zod';
import { Password } from '../../shared/passwords.ts';
import { isPermission, roles } from '../../shared/permissions.ts';
import { plainText } from '../../shared/plain-text.ts';
import { isTimeZone } from '../../shared/settings.ts';
import { statuses } from '../../shared/user.ts';
import { Username } from './username.ts';

/** An e-mail address; those that differ in case only are the same. */
export const Email = z
  .email('must be a valid e-mail address')
  .max(254, 'must have at most 254 characters')
  .toLowerCase();

/** A display name. */
export const Name = plainText(
  z
    .string()
    .trim()
    .min(2, 'must have at least 2 characters')
    .max(100, 'must have at most 100 characters'),
);

/** A permission that a route can ask for, a whole resource such as `users:*`, or `*`. */
export const Permission = z
  .string()
  .refine(isPermission, 'must be a permission such as users:view, users:* or *');

const profile = {
  avatar: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2_000)
    .nullish(),
  phone: z
    .string()
    .regex(/^[+\d][\d ()./-]{2,30}$/, 'must be a phone number')
    .nullish(),
  timezone: z.string().refine(isTimeZone, 'must be an IANA time zone').nullish(),
};

const rights = {
  role: z.enum(roles, `must be one of ${roles.join(', ')}`).nullish(),
  permissions: z.array(Permission).max(100).nullish(),
  status: z.enum(statuses, `must be one of ${statuses.join(', ')}`).nullish(),
};

const example = { email: 'bob@example.com', name: 'Bob Example', role: 'user' as const };

/** The body of `POST /api/users` (decisions §5). */
export const UserInput = z
  .object({
    email: Email,
    name: Name,
    password: Password.nullish(),
    username: Username.nullish(),
    ...rights,
    permissions: rights.permissions.meta({
      description:
        'Beyond those of the role; where none are named, the setting NEW_USER_PERMISSIONS grants its own, `[]` is none',
    }),
    ...profile,
  })
  .meta({ id: 'UserInput', examples: [example] });

/** The body of `PUT /api/users/{id}`: what is sent is changed, null takes an optional field away. */
export const UserChange = z
  .object({
    email: Email.nullish(),
    name: Name.nullish(),
    username: Username.nullish(),
    ...rights,
    ...profile,
  })
  .meta({ id: 'UserChange', examples: [{ status: 'suspended' }] });

/** The body of `PUT /api/users/me`. Another e-mail address needs the password. */
export const OwnChange = z
  .object({
    email: Email.nullish(),
    currentPassword: z.string().max(256).nullish(),
    name: Name.nullish(),
    username: Username.nullish(),
    ...profile,
  })
  .meta({ id: 'OwnChange', examples: [{ name: 'Ann B. Example', timezone: 'Europe/Berlin' }] });
