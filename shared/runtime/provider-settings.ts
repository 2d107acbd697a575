import { SettingError } from './settings.ts';

/** An issuer that users can sign in at (decisions.md#providers). */
export interface Provider {
  /** That of the settings in small letters, such as `google`; in addresses. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** What people see, such as `Google`. */
  readonly label: string;
  /** Whether all its addresses count as proven, also where it doesn't say so of one. */
  readonly provesAll: boolean;
  /** Whether it signs in the people of many organizations, who say of themselves what they like. */
  readonly isMultiTenant: boolean;
}

/** How many providers there can be: each is a button of the sign-in page. */
const maxProviders = 5;

/** The settings of one provider. The secret is a setting of the local run only; deployed ones are in Secrets Manager. */
export const providerParts = ['ISSUER', 'CLIENT_ID', 'LABEL', 'EMAILS', 'CLIENT_SECRET'] as const;

export type ProviderPart = (typeof providerParts)[number];

const namePattern = new RegExp(`^OIDC_([A-Z][A-Z0-9]{0,19})_(${providerParts.join('|')})$`);

/** Reads the name of a provider's setting, such as `OIDC_GOOGLE_ISSUER`; `undefined` for any other name. */
export const readProviderSetting = (
  name: string,
): { readonly provider: string; readonly part: ProviderPart } | undefined => {
  const [, provider, part] = namePattern.exec(name) ?? [];
  if (provider === undefined) return undefined;
  return { provider, part: part as ProviderPart };
};

/** Returns the name of a provider's setting, whose name is in capitals. */
export const settingOf = (provider: string, part: ProviderPart): string =>
  `OIDC_${provider}_${part}`;

/** Names that addresses below `/login` have already. */
const reservedNames: readonly string[] = ['EMAIL'];

/** GitHub speaks OAuth, but not OpenID Connect. */
export const gitHubIssuer = 'https://github.com';

/** Issuers of everyone: nothing but the subject and a proven address says who someone is. */
const openIssuers: readonly string[] = [
  'https://accounts.google.com',
  gitHubIssuer,
  'https://gitlab.com',
  'https://appleid.apple.com',
  'https://www.facebook.com',
  'https://www.linkedin.com',
  'https://www.linkedin.com/oauth',
  'https://slack.com',
  'https://discord.com',
  'https://api.login.yahoo.com',
  'https://id.twitch.tv/oauth2',
  'https://access.line.me',
  'https://login.salesforce.com',
];

const microsoftOfAll =
  /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/v2\.0)?$/;

/** An issuer without what tells no two apart, such as the port of https. */
const simplify = (issuer: string): string =>
  (URL.parse(issuer)?.href ?? issuer).replace(/\/+$/, '').toLowerCase();

const isOpen = (address: string): boolean => {
  const issuer = simplify(address);
  return openIssuers.includes(issuer) || microsoftOfAll.test(issuer);
};

const isLoopback = ({ hostname }: URL): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const isIssuer = (text: string): boolean => {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
};

const rules: Readonly<Record<ProviderPart, string>> = {
  ISSUER:
    'the https address of an issuer, such as https://accounts.google.com; http only on this machine',
  CLIENT_ID: 'the client id that the provider gave you, of up to 256 characters',
  LABEL: 'the name that people see, such as Google, of up to 40 characters',
  EMAILS: 'proven, if each address of its users is proven; never for an issuer of everyone',
  CLIENT_SECRET: 'the client secret that the provider gave you',
};

const isPrintable = (text: string, max: number): boolean =>
  text.length <= max && /^[^\p{C}]+$/u.test(text);

const isValid: Readonly<Record<ProviderPart, (value: string) => boolean>> = {
  ISSUER: isIssuer,
  CLIENT_ID: (value) => isPrintable(value, 256),
  LABEL: (value) => isPrintable(value, 40),
  EMAILS: (value) => value === 'proven',
  CLIENT_SECRET: (value) => isPrintable(value, 1_024),
};

/** Creates the error of a provider's setting that is missing or invalid. */
const invalid = (provider: string, part: ProviderPart): SettingError =>
  new SettingError(`Set ${settingOf(provider, part)} to ${rules[part]}.`);

/** @throws SettingError */
const assertName = (provider: string): void => {
  if (!reservedNames.includes(provider)) return;
  throw new SettingError(
    `Name the provider of OIDC_${provider}_… otherwise: /login/${provider.toLowerCase()} is a page already.`,
  );
};

/** Checks the value of a provider's setting by itself. The message never shows it. @throws SettingError */
export const assertProviderSetting = (name: string, value: string): void => {
  const setting = readProviderSetting(name);
  if (!setting) return;
  assertName(setting.provider);
  if (!isValid[setting.part](value)) throw invalid(setting.provider, setting.part);
};

type Values = Readonly<Record<string, string | undefined>>;

const toLabel = (name: string): string =>
  ({ GITHUB: 'GitHub', GITLAB: 'GitLab' })[name] ?? name.charAt(0) + name.slice(1).toLowerCase();

/** @throws SettingError */
const parseProvider = (name: string, values: Values): Provider => {
  assertName(name);
  const read = (part: ProviderPart) => {
    const value = values[settingOf(name, part)] || undefined;
    if (value !== undefined && !isValid[part](value)) throw invalid(name, part);
    return value;
  };
  const given = read('ISSUER');
  const clientId = read('CLIENT_ID');
  if (given === undefined) throw invalid(name, 'ISSUER');
  if (clientId === undefined) throw invalid(name, 'CLIENT_ID');
  const issuer = simplify(given) === gitHubIssuer ? gitHubIssuer : given;
  const isMultiTenant = isOpen(issuer);
  const provesAll = read('EMAILS') === 'proven';
  if (provesAll && isMultiTenant) throw invalid(name, 'EMAILS');
  const label = read('LABEL') ?? toLabel(name);
  // It is checked at the start, and read where it is needed.
  read('CLIENT_SECRET');
  return { name: name.toLowerCase(), issuer, clientId, label, provesAll, isMultiTenant };
};

/**
 * Reads the providers of settings, in the order of their names.
 * @throws SettingError for the first that is missing or invalid, for more than five, or for two of one issuer
 */
export const parseProviders = (values: Values): readonly Provider[] => {
  const names = new Set(
    Object.keys(values).flatMap((name) => {
      const provider = readProviderSetting(name)?.provider;
      return provider !== undefined && values[name] ? provider : [];
    }),
  );
  const providers = [...names].sort().map((name) => parseProvider(name, values));
  if (providers.length > maxProviders) {
    throw new SettingError(`Set OIDC_<NAME>_ISSUER of up to ${maxProviders} providers.`);
  }
  const issuers = new Set(providers.map(({ issuer }) => simplify(issuer)));
  if (issuers.size < providers.length) {
    throw new SettingError('Set each OIDC_<NAME>_ISSUER to another issuer.');
  }
  return providers;
};

const isFixed = process.env['NODE_ENV'] === 'production';

let known: readonly Provider[] | undefined;

/**
 * Returns the providers that users can sign in at, by the environment's settings.
 * @throws SettingError as `parseProviders`
 */
export const listProviders = (): readonly Provider[] => {
  if (known && isFixed) return known;
  known = parseProviders(process.env);
  return known;
};

/** Finds a provider by its name in addresses. */
export const findProvider = (name: string): Provider | undefined =>
  listProviders().find((provider) => provider.name === name);

/** Finds the provider of an issuer, under whatever name. */
export const findProviderOf = (issuer: string): Provider | undefined =>
  listProviders().find((provider) => provider.issuer === issuer);
