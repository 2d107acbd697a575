import { roles } from '../../../../../../shared/permissions/permissions.ts';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { settingsTexts as texts } from '../../texts.ts';
import { Providers } from './providers.tsx';
import type { Configuration } from './state.ts';

const units = [
  [86_400, texts.days],
  [3_600, texts.hours],
  [60, texts.minutes],
  [1, texts.seconds],
] as const;

/** Writes a duration in the largest unit that divides it. */
const formatDuration = (seconds: number): string => {
  const [size, write] = units.find(([unit]) => seconds % unit === 0) ?? units[3];
  return write(formatNumber(seconds / size));
};

/** `membersKnown` is said with the audiences. */
type Name = Exclude<keyof Configuration, 'membersKnown'>;

/** The settings by groups, each with what sets it. */
const groups = {
  service: {
    version: undefined,
    commit: undefined,
    stage: 'stage',
    publicUrl: 'PUBLIC_URL',
    snippetsUrl: 'SNIPPETS_URL',
    mailFrom: 'MAIL_FROM',
    currency: 'CURRENCY',
    checkinTimezone: 'CHECKIN_TIMEZONE',
  },
  accounts: {
    registration: 'REGISTRATION',
    directory: 'DIRECTORY',
    emailVerification: 'EMAIL_VERIFICATION',
    allowedDomains: 'ALLOWED_DOMAINS',
    passwordSignIn: 'PASSWORD_SIGN_IN',
    emailSignIn: 'EMAIL_SIGN_IN',
    providers: 'OIDC_<NAME>_ISSUER',
    roleClaim: 'ROLE_CLAIM',
    mfaRequiredRoles: 'MFA_REQUIRED_ROLES',
    newUserPermissions: 'NEW_USER_PERMISSIONS',
    accessTokenSeconds: 'JWT_ACCESS_EXPIRES',
    refreshTokenSeconds: 'JWT_REFRESH_EXPIRES',
    sessionSeconds: 'SESSION_MAX_AGE',
  },
  sharing: {
    defaultAudience: 'DEFAULT_AUDIENCE',
    maxAudience: 'MAX_AUDIENCE',
    shareSeconds: 'MAX_SHARE_AGE',
  },
  limits: {
    filesQuotaBytes: 'FILES_QUOTA',
    rateLimitFactor: 'RATE_LIMIT_FACTOR',
    auditSeconds: 'AUDIT_KEEP',
    messagesSeconds: 'MESSAGES_KEEP',
    notificationsSeconds: 'NOTIFICATIONS_KEEP',
  },
} as const satisfies Readonly<Record<string, Partial<Record<Name, string | undefined>>>>;

const formatValue = (name: Name, data: Configuration): string => {
  const value = name === 'providers' ? data.providers.map(({ label }) => label) : data[name];
  if (value === null) return texts.notSet;
  if (name === 'registration') return texts.registrations[data.registration];
  if (name === 'directory') return texts.directories[data.directory];
  if (name === 'emailVerification') return texts.verifications[data.emailVerification];
  if (name === 'defaultAudience') return texts.audiences[data.defaultAudience];
  if (name === 'maxAudience') return texts.audiences[data.maxAudience];
  if (name === 'passwordSignIn' || name === 'emailSignIn') return texts.onOrOff[data[name]];
  if (name === 'rateLimitFactor') return `× ${formatNumber(data.rateLimitFactor)}`;
  if (name === 'filesQuotaBytes') return formatBytes(data.filesQuotaBytes);
  if (Array.isArray(value)) return value.length === 0 ? texts.none : formatList(value);
  if (typeof value === 'number') return formatDuration(value);
  return String(value);
};

/** Says which required roles are not built in, because they may be mistyped. */
const UnknownRoles = ({ names }: { readonly names: readonly string[] }) => {
  const unknown = names.filter((name) => !roles.some((role) => role === name));
  if (unknown.length === 0) return null;
  return <span class="tiny mute blk">{texts.notBuiltIn(formatList(unknown))}</span>;
};

const Row = (props: {
  readonly name: Name;
  readonly by: string | undefined;
  data: Configuration;
}) => {
  const { name, by, data } = props;
  const [label, about] = texts.settings[name];
  return (
    <tr>
      <th scope="row">
        {label}
        <span class="tiny mute blk">
          {about}
          {name === 'version' && (
            <>
              {' · '}
              <a href="/licenses">{texts.licenses}</a>
            </>
          )}
        </span>
      </th>
      <td>
        {formatValue(name, data)}
        {name === 'providers' && <Providers list={data.providers} />}
        {name === 'mfaRequiredRoles' && <UnknownRoles names={data.mfaRequiredRoles} />}
        {name === 'maxAudience' && !data.membersKnown && (
          <span class="tiny mute blk">{texts.withoutMembers}</span>
        )}
      </td>
      <td>{by === undefined ? texts.fixed : <code>{by}</code>}</td>
    </tr>
  );
};

/** What the service is configured to, what it does and where it is set. */
export const ConfigurationTable = ({ data }: { readonly data: Configuration }) => (
  <table class="configuration">
    <thead>
      <tr>
        <th scope="col">{texts.columns.setting}</th>
        <th scope="col">{texts.columns.value}</th>
        <th scope="col">{texts.columns.name}</th>
      </tr>
    </thead>
    {Object.entries(groups).map(([group, settings]) => (
      <tbody key={group}>
        <tr>
          <th scope="rowgroup" colSpan={3}>
            {texts.groups[group as keyof typeof groups]}
          </th>
        </tr>
        {Object.entries(settings).map(([name, by]) => (
          <Row key={name} name={name as Name} by={by} data={data} />
        ))}
      </tbody>
    ))}
  </table>
);
