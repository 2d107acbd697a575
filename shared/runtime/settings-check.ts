// What settings must be together.
import { listProviders, type Provider } from './provider-settings.ts';
import {
  getSetting,
  invalidSetting,
  listSettings,
  type Setting,
  SettingError,
} from './settings.ts';

/**
 * Checks that users who must verify their address can be sent a link.
 * @throws SettingError
 */
export const assertVerifiable = ({
  EMAIL_VERIFICATION,
  MAIL_FROM,
}: {
  readonly EMAIL_VERIFICATION?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
}): void => {
  if (EMAIL_VERIFICATION !== 'required' || MAIL_FROM !== undefined) return;
  throw new SettingError(
    'Set MAIL_FROM to the sender address of emails, or EMAIL_VERIFICATION to optional: users can’t verify their addresses without email.',
  );
};

/** Whether anyone can get an account, so that having one says nothing about its user (decisions.md#audience). */
export const canStrangersRegister = ({
  REGISTRATION,
  ALLOWED_DOMAINS,
  EMAIL_VERIFICATION,
}: {
  readonly [Name in 'REGISTRATION' | 'ALLOWED_DOMAINS' | 'EMAIL_VERIFICATION']: Setting<Name>;
}): boolean =>
  REGISTRATION === 'open' && (ALLOWED_DOMAINS.length === 0 || EMAIL_VERIFICATION !== 'required');

/**
 * Checks that shares can be for members, if they are by default.
 * @throws SettingError
 */
export const assertMembersKnown = (
  settings: Parameters<typeof canStrangersRegister>[0] & {
    readonly DEFAULT_AUDIENCE: Setting<'DEFAULT_AUDIENCE'>;
  },
): void => {
  if (settings.DEFAULT_AUDIENCE !== 'members' || !canStrangersRegister(settings)) return;
  throw new SettingError(
    'Set DEFAULT_AUDIENCE to link, people or private, or REGISTRATION to invite: shares can’t be for members while anyone can register.',
  );
};

/**
 * Checks that there is a way to sign in, and that what it needs is there.
 * @throws SettingError
 */
export const assertSignIn = ({
  PASSWORD_SIGN_IN,
  EMAIL_SIGN_IN,
  ROLE_CLAIM,
  MAIL_FROM,
  providers,
}: {
  readonly [Name in 'PASSWORD_SIGN_IN' | 'EMAIL_SIGN_IN' | 'ROLE_CLAIM']: Setting<Name>;
} & {
  readonly MAIL_FROM: string | undefined;
  readonly providers: readonly Provider[];
}): void => {
  if (EMAIL_SIGN_IN === 'on' && MAIL_FROM === undefined) {
    throw new SettingError(
      'Set MAIL_FROM to the sender address of emails, or EMAIL_SIGN_IN to off: it sends codes by email.',
    );
  }
  if (PASSWORD_SIGN_IN === 'off' && EMAIL_SIGN_IN === 'off' && providers.length === 0) {
    throw new SettingError(
      'Set PASSWORD_SIGN_IN to on, EMAIL_SIGN_IN to on, or OIDC_<NAME>_ISSUER to an issuer: nobody could sign in.',
    );
  }
  if (ROLE_CLAIM !== undefined && providers.every(({ isMultiTenant }) => isMultiTenant)) {
    throw new SettingError(
      'Leave out ROLE_CLAIM, or set OIDC_<NAME>_ISSUER to the issuer of one organization: only such a one gives roles.',
    );
  }
};

/**
 * Checks all settings, so that an invalid one fails the start instead of the first request that needs it.
 * @throws SettingError for the first missing or invalid setting
 */
export const assertSettings = (): void => {
  for (const name of listSettings()) getSetting(name);
  if (getSetting('JWT_SECRET') === undefined && getSetting('JWT_SECRET_ID') === undefined) {
    throw invalidSetting('JWT_SECRET');
  }
  if (getSetting('SNIPPETS_URL') === getSetting('PUBLIC_URL')) {
    throw invalidSetting('SNIPPETS_URL');
  }
  assertVerifiable({
    EMAIL_VERIFICATION: getSetting('EMAIL_VERIFICATION'),
    MAIL_FROM: getSetting('MAIL_FROM'),
  });
  assertMembersKnown({
    DEFAULT_AUDIENCE: getSetting('DEFAULT_AUDIENCE'),
    REGISTRATION: getSetting('REGISTRATION'),
    ALLOWED_DOMAINS: getSetting('ALLOWED_DOMAINS'),
    EMAIL_VERIFICATION: getSetting('EMAIL_VERIFICATION'),
  });
  assertSignIn({
    PASSWORD_SIGN_IN: getSetting('PASSWORD_SIGN_IN'),
    EMAIL_SIGN_IN: getSetting('EMAIL_SIGN_IN'),
    ROLE_CLAIM: getSetting('ROLE_CLAIM'),
    MAIL_FROM: getSetting('MAIL_FROM'),
    providers: listProviders(),
  });
};
