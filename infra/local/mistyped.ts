import { readProviderSetting } from '../../shared/runtime/provider-settings.ts';
import { listSettings } from '../../shared/runtime/settings.ts';
import { findNearest } from '../stack/settings/nearest-name.ts';
import { findNearestProviderSetting } from '../stack/settings/provider-values.ts';
import { optionNames } from './options.ts';

/** Shorter names are near to too many others, such as PORT and PATH. */
const minLength = 6;

/** Returns a sentence for each environment variable that is probably a setting with a typing error, which is ignored. */
export const findMistyped = (env: Readonly<Record<string, string | undefined>>): string[] => {
  const known = [...listSettings(), ...optionNames].filter(({ length }) => length >= minLength);
  return Object.keys(env)
    .filter(
      (name) => name.length >= minLength && !known.includes(name) && !readProviderSetting(name),
    )
    .flatMap((name) => {
      const nearest = findNearest(name, known, 2) ?? findNearestProviderSetting(name);
      return nearest === undefined ? [] : [`Unknown setting ${name}. Did you mean ${nearest}?`];
    });
};
