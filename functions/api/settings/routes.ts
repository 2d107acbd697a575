import * as z from 'zod';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { audiences } from '../../../shared/permissions/audiences.ts';
import { writeRoleClaim } from '../../../shared/permissions/role-claim.ts';
import { listProviders } from '../../../shared/runtime/provider-settings.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { areMembersKnown, limitAudience } from '../../../shared/users/audience.ts';
import { getDirectory } from '../../../shared/users/directory.ts';
import { failedJobRoutes } from './failed-jobs.ts';
import { checkHealth, Health } from './health.ts';
import { testMailLimit } from './limits.ts';
import { spendingRoutes } from './spending.ts';

const seconds = (description: string) => z.int().positive().meta({ description });

const secondsOrNone = (description: string) => z.int().positive().nullable().meta({ description });

const exampleSettings = {
  version: '0.1.0',
  commit: '2f8a76f4d1c0',
  stage: 'prod',
  publicUrl: 'https://handbill.example.com',
  snippetsUrl: 'https://snippets.example.com',
  registration: 'open' as const,
  directory: 'exact' as const,
  emailVerification: 'optional' as const,
  allowedDomains: ['example.com'],
  mfaRequiredRoles: ['super_admin', 'admin'],
  passwordSignIn: 'on' as const,
  emailSignIn: 'off' as const,
  providers: [
    {
      name: 'google',
      label: 'Google',
      issuer: 'https://accounts.google.com',
      clientId: '123456789012-abc.apps.googleusercontent.com',
      redirectUrl: 'https://handbill.example.com/login/google/callback',
    },
  ],
  roleClaim: null,
  newUserPermissions: ['documents:create'],
  defaultAudience: 'link' as const,
  maxAudience: 'link' as const,
  membersKnown: true,
  mailFrom: 'handbill@example.com',
  currency: 'EUR',
  checkinTimezone: 'UTC',
  filesQuotaBytes: 1_073_741_824,
  rateLimitFactor: 1,
  accessTokenSeconds: 900,
  refreshTokenSeconds: 604_800,
  sessionSeconds: 2_592_000,
  auditSeconds: 31_536_000,
  shareSeconds: null,
  messagesSeconds: null,
  notificationsSeconds: 7_776_000,
};

/** What an administrator may know of the configuration: no secret, and no name of a resource behind the service. */
const Settings = z
  .object({
    version: z.string().meta({ description: 'The version of Handbill.' }),
    commit: z.string().meta({
      description:
        'The commit of the code, with `-dirty` if it was changed since; `unknown` without git.',
    }),
    stage: z.string().meta({ description: 'The name of the deployment; `local` on one machine.' }),
    publicUrl: z.url().meta({ description: 'The address of the service.' }),
    snippetsUrl: z.url().meta({ description: 'The address that serves the content of shares.' }),
    registration: z
      .enum(['open', 'invite', 'closed'])
      .meta({ description: 'Who can register: anyone, people with an invitation, or no one.' }),
    directory: z.enum(['members', 'exact', 'off']).meta({
      description:
        'How users find each other: by name and email address, by the whole address, or not at all.',
    }),
    emailVerification: z.enum(['off', 'optional', 'required']).meta({
      description: 'Whether users are asked to verify their email addresses, or must.',
    }),
    allowedDomains: z.array(z.string()).meta({
      description: 'The domains of email addresses that can register or be invited; none: all.',
    }),
    mfaRequiredRoles: z.array(z.string()).meta({
      description:
        'The roles whose users set up a second factor when they next sign in; none: no one must.',
    }),
    passwordSignIn: z
      .enum(['on', 'off'])
      .meta({ description: 'Whether users have passwords and sign in by them.' }),
    emailSignIn: z
      .enum(['off', 'on'])
      .meta({ description: 'Whether users sign in by a code or link that they are emailed.' }),
    providers: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The name in addresses, such as `google`.' }),
          label: z.string().meta({ description: 'The name that people see.' }),
          issuer: z.url().meta({ description: 'Where its people sign in.' }),
          clientId: z.string().meta({ description: 'What it knows this service by.' }),
          redirectUrl: z.url().meta({
            description: 'Where the provider sends people back, which it must know.',
          }),
        }),
      )
      .meta({ description: 'The providers that users sign in at; none by default.' }),
    roleClaim: z.string().nullable().meta({
      description:
        'The claim of providers that gives roles, and the role of each value, such as `groups staff=user, *=guest`. `null`: none does.',
    }),
    newUserPermissions: z.array(z.string()).meta({
      description: 'What new users may do beyond their role.',
    }),
    defaultAudience: z.enum(audiences).meta({
      description:
        'Who can open a share whose author doesn’t say, unless an API token allows less.',
    }),
    maxAudience: z
      .enum(audiences)
      .meta({ description: 'The widest audience of shares, also of those that exist.' }),
    membersKnown: z.boolean().meta({
      description:
        'Whether shares can be for signed-in members: not while anyone can register without a verified address at one of `allowedDomains`.',
    }),
    mailFrom: z
      .string()
      .nullable()
      .meta({ description: 'The sender address of emails. `null`: email is off.' }),
    currency: z.string(),
    checkinTimezone: z
      .string()
      .meta({ description: 'The time zone in which a check-in day starts.' }),
    filesQuotaBytes: z.int().positive().meta({ description: 'How much each user can store.' }),
    rateLimitFactor: z
      .number()
      .positive()
      .meta({ description: 'What every rate limit is multiplied by.' }),
    accessTokenSeconds: seconds('The lifetime of an access token.'),
    refreshTokenSeconds: seconds('The lifetime of a refresh token.'),
    sessionSeconds: seconds('When a session ends, no matter how often it is used.'),
    auditSeconds: seconds('How long audit entries are kept.'),
    shareSeconds: secondsOrNone(
      'When a share ends at the latest after its creation. `null`: its owner decides.',
    ),
    messagesSeconds: secondsOrNone(
      'How long messages are kept, for everyone. `null`: until they are deleted.',
    ),
    notificationsSeconds: seconds('How long notifications are kept.'),
  })
  .meta({ id: 'Settings', examples: [exampleSettings] });

const toSeconds = (ms: number | undefined): number | null => (ms === undefined ? null : ms / 1_000);

const readSettings = (): z.output<typeof Settings> => ({
  version: getSetting('VERSION'),
  commit: getSetting('COMMIT'),
  stage: getSetting('STAGE'),
  publicUrl: getSetting('PUBLIC_URL'),
  snippetsUrl: getSetting('SNIPPETS_URL'),
  registration: getSetting('REGISTRATION'),
  directory: getDirectory(),
  emailVerification: getSetting('EMAIL_VERIFICATION'),
  allowedDomains: getSetting('ALLOWED_DOMAINS'),
  mfaRequiredRoles: getSetting('MFA_REQUIRED_ROLES'),
  passwordSignIn: getSetting('PASSWORD_SIGN_IN'),
  emailSignIn: getSetting('EMAIL_SIGN_IN'),
  providers: listProviders().map(({ name, label, issuer, clientId }) => ({
    name,
    label,
    issuer,
    clientId,
    redirectUrl: `${getSetting('PUBLIC_URL')}/login/${name}/callback`,
  })),
  roleClaim: writeRoleClaim(getSetting('ROLE_CLAIM')),
  newUserPermissions: getSetting('NEW_USER_PERMISSIONS'),
  defaultAudience: limitAudience(getSetting('DEFAULT_AUDIENCE')),
  maxAudience: getSetting('MAX_AUDIENCE'),
  membersKnown: areMembersKnown(),
  mailFrom: getSetting('MAIL_FROM') ?? null,
  currency: getSetting('CURRENCY'),
  checkinTimezone: getSetting('CHECKIN_TIMEZONE'),
  filesQuotaBytes: getSetting('FILES_QUOTA'),
  rateLimitFactor: getSetting('RATE_LIMIT_FACTOR'),
  accessTokenSeconds: getSetting('JWT_ACCESS_EXPIRES') / 1_000,
  refreshTokenSeconds: getSetting('JWT_REFRESH_EXPIRES') / 1_000,
  sessionSeconds: getSetting('SESSION_MAX_AGE') / 1_000,
  auditSeconds: getSetting('AUDIT_KEEP') / 1_000,
  shareSeconds: toSeconds(getSetting('MAX_SHARE_AGE')),
  messagesSeconds: toSeconds(getSetting('MESSAGES_KEEP')),
  notificationsSeconds: getSetting('NOTIFICATIONS_KEEP') / 1_000,
});

export const routes = [
  route({
    endpoint: 'GET /api/settings',
    access: 'settings:view',
    summary: 'Get the settings',
    description:
      'Returns the configuration that the service runs with. It is changed where it is set.',
    output: Success(Settings),
    handle: async () => success(readSettings()),
  }),
  route({
    endpoint: 'GET /api/settings/health',
    access: 'settings:view',
    summary: 'Check the health',
    description:
      'Checks the parts behind the service, each for up to 2 s. The response is 200 even if parts fail; their errors are in the log.',
    output: Success(Health),
    handle: async () => success(await checkHealth()),
  }),
  route({
    endpoint: 'POST /api/settings/test-mail',
    access: 'settings:view',
    summary: 'Send a test email',
    description: 'Sends an email to your own address and waits until the email service takes it.',
    output: Success(
      z.object({ sentTo: z.email().meta({ description: 'The address of your account.' }) }),
    ).meta({
      id: 'TestMail',
      examples: [success({ sentTo: 'ann@example.com' }, 'Sent')],
    }),
    errors: {
      CONFLICT: 'Email is off, or the email service rejects your address.',
      SERVICE_UNAVAILABLE: 'The email service did not take the email.',
    },
    limits: [testMailLimit],
    auditAction: 'none',
    handle: async ({ actor }) => {
      // Loaded on first use, because SES's client is large.
      const { sendTestMail } = await import('./test-mail.ts');
      return success({ sentTo: await sendTestMail(actor) }, 'Sent');
    },
  }),
  ...failedJobRoutes,
  ...spendingRoutes,
];
