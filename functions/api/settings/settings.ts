import { getSetting, type Setting } from '../../../shared/runtime/settings.ts';

/** The configuration that administrators can see. Durations are in seconds. */
export interface VisibleSettings {
  readonly publicUrl: string;
  readonly snippetsUrl: string;
  readonly registration: Setting<'REGISTRATION'>;
  readonly newUserPermissions: string[];
  /** Null while email is off. */
  readonly mailFrom: string | null;
  readonly currency: string;
  readonly checkinTimezone: string;
  readonly filesQuotaBytes: number;
  readonly rateLimitFactor: number;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly sessionSeconds: number;
  readonly auditSeconds: number;
}

/** Returns the settings, without secrets and names of resources. */
export const readSettings = (): VisibleSettings => ({
  publicUrl: getSetting('PUBLIC_URL'),
  snippetsUrl: getSetting('SNIPPETS_URL'),
  registration: getSetting('REGISTRATION'),
  newUserPermissions: getSetting('NEW_USER_PERMISSIONS'),
  mailFrom: getSetting('MAIL_FROM') ?? null,
  currency: getSetting('CURRENCY'),
  checkinTimezone: getSetting('CHECKIN_TIMEZONE'),
  filesQuotaBytes: getSetting('FILES_QUOTA'),
  rateLimitFactor: getSetting('RATE_LIMIT_FACTOR'),
  accessTokenSeconds: getSetting('JWT_ACCESS_EXPIRES') / 1_000,
  refreshTokenSeconds: getSetting('JWT_REFRESH_EXPIRES') / 1_000,
  sessionSeconds: getSetting('SESSION_MAX_AGE') / 1_000,
  auditSeconds: getSetting('AUDIT_KEEP') / 1_000,
});
