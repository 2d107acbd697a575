import { readProviderSetting } from '../../../shared/runtime/provider-settings.ts';
import { SettingError } from '../../../shared/runtime/settings.ts';
import { settingNames } from '../stack-settings.ts';
import { findNearest } from './nearest-name.ts';
import { findNearestProviderSetting, isProviderSetting } from './provider-values.ts';

/** Returns whether a deployment has a setting of this name. */
export const isKnown = (name: string): boolean =>
  settingNames.includes(name) || isProviderSetting(name);

/**
 * Checks that there is a setting of this name.
 * @param where - such as `of stage prod in handbill.json`
 * @throws SettingError that names the nearest one, or says where a secret belongs
 */
export const assertKnown = (name: string, where?: string): void => {
  if (isKnown(name)) return;
  const named = [name, where].filter(Boolean).join(' ');
  const setting = readProviderSetting(name);
  if (setting) {
    throw new SettingError(
      `Leave out ${named}: files and command lines keep no secret. Store it with \`npm run secret -- ${setting.provider.toLowerCase()}\`.`,
    );
  }
  const nearest = findNearestProviderSetting(name) ?? findNearest(name, settingNames);
  const hint =
    nearest === undefined ? 'README.md#configure lists all.' : `Did you mean ${nearest}?`;
  throw new SettingError(`Unknown setting ${named}. ${hint}`);
};
