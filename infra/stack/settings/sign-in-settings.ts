import { parseProviders } from '../../../shared/runtime/provider-settings.ts';
import { parseSetting, SettingError } from '../../../shared/runtime/settings.ts';
import { assertSignIn } from '../../../shared/runtime/settings-check.ts';
import type { ProviderValues } from './provider-values.ts';
import type { ServiceSettings } from './service-settings.ts';

/**
 * A function's environment has 4 KB, of which the other settings take up to 1.5.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxBytes = 2_500;

/**
 * Checks the settings of signing in together.
 * @throws SettingError for the first that is invalid, or doesn't go with the others
 */
export const assertSignInSettings = (service: ServiceSettings, values: ProviderValues): void => {
  assertSignIn({
    PASSWORD_SIGN_IN: parseSetting('PASSWORD_SIGN_IN', service.PASSWORD_SIGN_IN),
    EMAIL_SIGN_IN: parseSetting('EMAIL_SIGN_IN', service.EMAIL_SIGN_IN),
    ROLE_CLAIM: parseSetting('ROLE_CLAIM', service.ROLE_CLAIM),
    MAIL_FROM: service.MAIL_FROM,
    providers: parseProviders(values),
  });
  const all = [...Object.entries(values).flat(), service.ROLE_CLAIM ?? ''];
  if (Buffer.byteLength(all.join('')) <= maxBytes) return;
  throw new SettingError(
    `Shorten ROLE_CLAIM or the settings OIDC_<NAME>_…: together they can have ${maxBytes} bytes, because a function’s environment has 4 KB.`,
  );
};
