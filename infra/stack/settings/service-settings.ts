import { parseSetting, SettingError, type SettingName } from '../../../shared/runtime/settings.ts';
import { assertMembersKnown, assertVerifiable } from '../../../shared/runtime/settings-check.ts';
import { functionConfigs } from '../../functions/config/functions.ts';

/** Reads a value by name, for instance from the context of the CDK. */
export type ReadContext = (name: string) => unknown;

/** What the stack knows. It has settings of its own for the origins and the queue of webhooks. */
const fromStack: ReadonlySet<string> = new Set([
  'VERSION',
  'COMMIT',
  'CORS_ORIGINS',
  'WEBHOOK_CONCURRENCY',
]);

/** The settings of the service that functions read, except those that the stack sets itself. */
export const serviceNames = [
  ...new Set(Object.values(functionConfigs).flatMap(({ settings }) => settings ?? [])),
].filter((name) => !fromStack.has(name)) as SettingName[];

/** The configured settings of the service, as text. */
export type ServiceSettings = Readonly<Partial<Record<SettingName, string>>>;

/** The origins of a deployment. */
export const httpsUrls = ['PUBLIC_URL', 'SNIPPETS_URL'] as const;

/** Returns the text, checked by the service's own rule. Origins are normalized as the service does. */
const readServiceSetting = (name: SettingName, value: string): string => {
  const parsed = parseSetting(name, value);
  return name === 'PUBLIC_URL' || name === 'SNIPPETS_URL' ? String(parsed) : value;
};

/**
 * Reads the settings of the service.
 * @throws SettingError for an invalid one, or ones that don't go together
 */
export const readServiceSettings = (read: ReadContext): ServiceSettings => {
  const chosen: Partial<Record<SettingName, string>> = {};
  for (const name of serviceNames) {
    const value = read(name);
    if (value !== undefined && value !== '') chosen[name] = readServiceSetting(name, String(value));
  }
  for (const name of httpsUrls) {
    if (chosen[name]?.startsWith('http:'))
      throw new SettingError(`Set ${name} to an https origin.`);
  }
  if (chosen.PUBLIC_URL !== undefined && chosen.PUBLIC_URL === chosen.SNIPPETS_URL) {
    throw new SettingError('Set SNIPPETS_URL to an origin other than PUBLIC_URL.');
  }
  assertVerifiable(chosen);
  assertMembersKnown({
    DEFAULT_AUDIENCE: parseSetting('DEFAULT_AUDIENCE', chosen.DEFAULT_AUDIENCE),
    REGISTRATION: parseSetting('REGISTRATION', chosen.REGISTRATION),
    ALLOWED_DOMAINS: parseSetting('ALLOWED_DOMAINS', chosen.ALLOWED_DOMAINS),
    EMAIL_VERIFICATION: parseSetting('EMAIL_VERIFICATION', chosen.EMAIL_VERIFICATION),
  });
  return chosen;
};
