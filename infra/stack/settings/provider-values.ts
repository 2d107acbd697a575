import {
  providerParts,
  readProviderSetting,
  settingOf,
} from '../../../shared/runtime/provider-settings.ts';
import { findNearest } from './nearest-name.ts';

/** The settings of providers as text, by name (`OIDC_GOOGLE_ISSUER`). None is a secret. */
export type ProviderValues = Readonly<Record<string, string>>;

/** Returns whether this is the name of a provider's setting that a deployment can have. */
export const isProviderSetting = (name: string): boolean => {
  const setting = readProviderSetting(name);
  return setting !== undefined && setting.part !== 'CLIENT_SECRET';
};

/** Returns the settings of providers among others, without those that are empty. */
export const pickProviderValues = (
  values: Readonly<Record<string, string | undefined>>,
): ProviderValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => isProviderSetting(entry[0]) && Boolean(entry[1]),
    ),
  );

/** Returns the names of the providers that have settings, in small letters. */
export const listProviderNames = (values: ProviderValues): string[] => [
  ...new Set(
    Object.keys(values).map((name) => readProviderSetting(name)?.provider.toLowerCase() ?? ''),
  ),
];

/** A part by its words, also by its last one alone: `SECRET` is `CLIENT_SECRET`. */
const findPart = (text: string) =>
  providerParts.find((part) => part === findNearest(text, providerParts)) ??
  providerParts.find((part) => part.endsWith(`_${text}`));

/** Returns the provider's setting that a name was probably meant to be, such as `OIDC_GOOGLE_CLIENT_ID` for `OIDC_GOOGLE_CLIENTID`. */
export const findNearestProviderSetting = (name: string): string | undefined => {
  const [prefix = '', ...words] = name.toUpperCase().split(/[_-]/);
  if (findNearest(prefix, ['OIDC'], 2) === undefined) return undefined;
  // A name of several words is written as one.
  for (let count = 1; count < words.length; count++) {
    const part = findPart(words.slice(count).join('_'));
    const nearest = part && settingOf(words.slice(0, count).join(''), part);
    if (nearest !== undefined && readProviderSetting(nearest)) return nearest;
  }
  return undefined;
};
