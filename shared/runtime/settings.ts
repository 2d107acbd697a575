import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { audiences } from '../permissions/audiences.ts';
import { isForNewUsers } from '../permissions/permissions.ts';
import { readRoleClaim } from '../permissions/role-claim.ts';
import { roleNamePattern } from '../permissions/roles.ts';
import { isWeakSecret } from './weak-secret.ts';

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Creates the schema of a duration such as `15m`, `7d` or `2s`, in ms. */
const duration = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,6}[smhd]$/)
    .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs]);

/** Creates the schema of how long something is kept: whole days such as `90d`, up to `max`, in ms. */
const days = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}d$/)
    .transform((text) => Number(text.slice(0, -1)))
    .refine((count) => count <= max)
    .transform((count) => count * unitMs.d);

/** Returns whether this is the name of an IANA time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

/** Returns whether this is an ISO 4217 currency code in capitals. */
const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** Returns whether this is the domain of email addresses, such as `example.com`. */
const isDomain = (name: string): boolean => z.email().safeParse(`a@${name}`).success;

const unitBytes = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const;

/** Creates the schema of a data size such as `500MB`, in bytes. */
const byteCount = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}[KMGT]B$/)
    .transform(
      (text) => Number(text.slice(0, -2)) * unitBytes[text.slice(-2) as keyof typeof unitBytes],
    );

/** Creates the schema of an http(s) origin without a path or a trailing slash. */
const origin = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text))
    .refine(({ pathname, search, hash }) => pathname === '/' && !search && !hash)
    .transform((url) => url.origin);

const isProduction = (): boolean => process.env['NODE_ENV'] === 'production';

/** Returns the entries of a list separated by commas or spaces, each once. */
const splitList = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((entry) => entry !== '')),
];

/** Whether nothing changes the environment: reading a variable of the process takes a microsecond. */
const isFixed = isProduction();

const audienceRule = 'link, members, people or private';

/** Schema of each setting, and what to set in its error message. */
const definitions = {
  TABLE_NAME: { schema: () => z.string().min(3), rule: 'the name of the DynamoDB table' },
  JWT_SECRET: {
    schema: () =>
      z
        .string()
        .min(1)
        .refine((secret) => !isProduction() || !isWeakSecret(secret))
        .optional(),
    rule: 'a random secret of at least 32 characters, neither an example nor a pattern, for instance from `openssl rand -base64 32`',
  },
  JWT_SECRET_ID: {
    schema: () => z.string().min(1).optional(),
    rule: 'the name of the Secrets Manager secret that signs tokens (or set JWT_SECRET)',
  },
  JWT_ACCESS_EXPIRES: {
    schema: () => duration().default(15 * unitMs.m),
    rule: 'a duration such as 15m, 2h or 30s',
  },
  JWT_REFRESH_EXPIRES: {
    schema: () => duration().default(7 * unitMs.d),
    rule: 'a duration such as 7d, 12h or 30m',
  },
  SESSION_MAX_AGE: {
    schema: () => duration().default(30 * unitMs.d),
    rule: 'a duration such as 30d or 12h',
  },
  PASSWORD_COST: {
    schema: () =>
      z
        .string()
        .regex(/^\d{1,2}$/)
        .transform(Number)
        .pipe(z.number().min(4).max(15))
        .default(12),
    rule: 'an integer from 4 to 15',
  },
  AUDIT_KEEP: {
    schema: () => duration().default(365 * unitMs.d),
    rule: 'a duration such as 365d',
  },
  MAX_SHARE_AGE: {
    schema: () =>
      duration()
        .refine((ms) => ms >= unitMs.h && ms <= 3_650 * unitMs.d)
        .optional(),
    rule: 'a duration from 1h to 3650d, such as 30d, after which every share has ended',
  },
  MESSAGES_KEEP: {
    schema: () => days(36_500).optional(),
    rule: 'days such as 365d, after which messages are deleted for everyone',
  },
  // The counters of a user have two numbers for each day, which every notification writes.
  NOTIFICATIONS_KEEP: {
    schema: () => days(365).default(90 * unitMs.d),
    rule: 'days from 1d to 365d, after which notifications are deleted',
  },
  CHECKIN_TIMEZONE: {
    schema: () => z.string().refine(isTimeZone).default('UTC'),
    rule: 'an IANA time zone such as UTC or Europe/Berlin',
  },
  RATE_LIMIT_FACTOR: {
    schema: () =>
      z
        .string()
        .regex(/^\d{1,6}(\.\d{1,3})?$/)
        .transform(Number)
        .pipe(z.number().positive())
        .default(1),
    rule: 'a number such as 1, 0.5 or 100 that every rate limit is multiplied by',
  },
  CURRENCY: {
    schema: () => z.string().refine(isCurrency).default('EUR'),
    rule: 'an ISO 4217 currency such as EUR or USD',
  },
  FILES_QUOTA: {
    schema: () => byteCount().default(1024 ** 3),
    rule: 'how much a user may store, such as 500MB or 1GB',
  },
  REGISTRATION: {
    schema: () => z.enum(['open', 'invite', 'closed']).default('open'),
    rule: 'open, invite or closed',
  },
  DIRECTORY: {
    schema: () => z.enum(['members', 'exact', 'off']).optional(),
    rule: 'members, exact or off',
  },
  EMAIL_VERIFICATION: {
    schema: () => z.enum(['off', 'optional', 'required']).default('optional'),
    rule: 'off, optional or required; required needs MAIL_FROM',
  },
  // Custom roles are in the table, so a name is only checked for its form.
  MFA_REQUIRED_ROLES: {
    schema: () =>
      z
        .string()
        .default('')
        .transform(splitList)
        .refine((roles) => roles.length <= 24 && roles.every((role) => roleNamePattern.test(role))),
    rule: 'up to 24 names of roles such as super_admin,admin, in small letters and separated by commas',
  },
  PASSWORD_SIGN_IN: {
    schema: () => z.enum(['on', 'off']).default('on'),
    rule: 'on or off; off needs an OIDC_<NAME>_ISSUER or EMAIL_SIGN_IN=on',
  },
  EMAIL_SIGN_IN: {
    schema: () => z.enum(['off', 'on']).default('off'),
    rule: 'off or on; on needs MAIL_FROM',
  },
  PROVIDER_SECRETS_ID: {
    schema: () => z.string().min(1).optional(),
    rule: 'the name of the Secrets Manager secret that holds the client secrets of providers',
  },
  ROLE_CLAIM: {
    schema: () =>
      z
        .string()
        .default('')
        .transform(readRoleClaim)
        .refine((claim) => claim !== null),
    rule: 'a claim and roles for its values, such as groups engineering=admin, staff=user, *=guest; never super_admin',
  },
  ALLOWED_DOMAINS: {
    schema: () =>
      z
        .string()
        .default('')
        .transform((text) => splitList(text).map((domain) => domainToASCII(domain)))
        .refine((domains) => domains.every(isDomain)),
    rule: 'the domains of allowed email addresses, such as example.com, separated by commas',
  },
  DEFAULT_AUDIENCE: {
    schema: () => z.enum(audiences).default('link'),
    rule: audienceRule,
  },
  MAX_AUDIENCE: {
    schema: () => z.enum(audiences).default('link'),
    rule: audienceRule,
  },
  NEW_USER_PERMISSIONS: {
    schema: () =>
      z
        .string()
        .default('')
        .transform(splitList)
        .refine((entries) => entries.every(isForNewUsers)),
    rule: 'permissions such as documents:create or messages:*, separated by spaces or commas; not *, and of users only users:view',
  },
  MAIL_FROM: {
    schema: () => z.string().trim().check(z.email()).optional(),
    rule: 'the sender address of emails',
  },
  MAIL_RATE: {
    schema: () => z.coerce.number().int().min(1).max(1_000).default(1),
    rule: 'the emails per second that SES allows the account, from 1 to 1000',
  },
  MAIL_CONCURRENCY: {
    schema: () => z.coerce.number().int().min(2).max(1_000).default(2),
    rule: 'how many batches of emails are sent at once, from 2 to 1000',
  },
  MAIL_CONFIGURATION_SET: {
    schema: () => z.string().min(1).optional(),
    rule: 'the name of the SES configuration set of emails',
  },
  WEBHOOKS: {
    schema: () => z.enum(['on', 'off']).default('on'),
    rule: 'on or off',
  },
  WEBHOOK_CONCURRENCY: {
    schema: () => z.coerce.number().int().min(2).max(1_000).default(2),
    rule: 'how many batches of webhooks run at once, from 2 to 1000',
  },
  SPENDING_LIMIT: {
    schema: () => z.coerce.number().min(5).max(1_000_000).optional(),
    rule: 'US dollars a month, from 5 to 1000000',
  },
  GATEWAY_PUBLIC_ROUTES: {
    schema: () =>
      z
        .string()
        .optional()
        .transform((text) => (text === undefined ? undefined : (JSON.parse(text) as unknown)))
        .pipe(z.array(z.object({ api: z.string(), keys: z.array(z.string()) })).optional()),
    rule: 'the route keys of each API that the spending limit slows down, as JSON',
  },
  FILES_BUCKET: {
    schema: () => z.string().min(3),
    rule: 'the name of the S3 bucket of files',
  },
  JOBS_QUEUE_URL: {
    schema: () => z.url({ protocol: /^https?$/ }),
    rule: 'the URL of the SQS queue of jobs',
  },
  MAIL_QUEUE_URL: {
    schema: () => z.url({ protocol: /^https?$/ }),
    rule: 'the URL of the SQS queue of emails',
  },
  HOOKS_QUEUE_URL: {
    schema: () => z.url({ protocol: /^https?$/ }),
    rule: 'the URL of the SQS queue of webhooks',
  },
  ACTIVITY_QUEUE_URL: {
    schema: () => z.url({ protocol: /^https?$/ }),
    rule: 'the URL of the SQS queue of activity',
  },
  EXPORTS_FUNCTION: {
    schema: () => z.string().min(1),
    rule: 'the name of the Lambda function that makes exports',
  },
  EVENT_BUS: {
    schema: () => z.string().min(1).optional(),
    rule: 'the name of the EventBridge bus that gets all events, such as default',
  },
  VERSION: { schema: () => z.string().min(1).default('0.0.0'), rule: 'the version of Handbill' },
  COMMIT: { schema: () => z.string().min(1).default('unknown'), rule: 'the commit of Handbill' },
  STAGE: { schema: () => z.string().min(1).default('local'), rule: 'the name of the stage' },
  PUBLIC_URL: {
    schema: () => origin(),
    rule: 'the http(s) origin people reach this service at, such as https://api.example.com',
  },
  CORS_ORIGINS: {
    schema: () =>
      z
        .string()
        .default('')
        .transform((text) => text.split(',').filter((entry) => entry !== '')),
    rule: 'the origins whose pages can call the API, separated by commas, or *',
  },
  EDGE_SECRET_HASHES: {
    schema: () =>
      z
        .string()
        .default('')
        .transform((text) => text.split(',').filter((hash) => hash !== ''))
        .refine((hashes) => hashes.every((hash) => /^[\da-f]{64}$/.test(hash))),
    rule: 'the SHA-256, in hexadecimal digits, of each secret that the CDN may send, separated by commas',
  },
  SNIPPETS_URL: {
    schema: () => origin(),
    rule: "the http(s) origin that serves people's snippets, another one than PUBLIC_URL",
  },
} as const;

export type SettingName = keyof typeof definitions;
export type Setting<Name extends SettingName> = z.output<
  ReturnType<(typeof definitions)[Name]['schema']>
>;

/** Returns the names of all settings. */
export const listSettings = (): SettingName[] => Object.keys(definitions) as SettingName[];

/** A missing or invalid setting. The message says what to set, but never shows the value. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Creates the error of a setting that is missing or invalid. */
export const invalidSetting = (name: SettingName): SettingError =>
  new SettingError(`Set ${name} to ${definitions[name].rule}.`);

const parsed = new Map<
  SettingName,
  { readonly text: string | undefined; readonly value: unknown }
>();

/**
 * Parses a setting.
 * @throws SettingError when it is missing or invalid
 */
export const parseSetting = <Name extends SettingName>(
  name: Name,
  text: string | undefined,
): Setting<Name> => {
  const result = definitions[name].schema().safeParse(text);
  if (!result.success) throw invalidSetting(name);
  return result.data as Setting<Name>;
};

/**
 * Returns a setting from the environment variable of the same name. Parses each value once.
 * @throws SettingError when it is missing or invalid
 */
export const getSetting = <Name extends SettingName>(name: Name): Setting<Name> => {
  const known = parsed.get(name);
  if (known && isFixed) return known.value as Setting<Name>;
  const text = process.env[name] || undefined;
  if (known && known.text === text) return known.value as Setting<Name>;
  const value = parseSetting(name, text);
  parsed.set(name, { text, value });
  return value;
};

/** Returns whether the service sends email. */
export const isMailOn = (): boolean => getSetting('MAIL_FROM') !== undefined;
