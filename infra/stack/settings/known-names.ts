import { SettingError } from '../../../shared/runtime/settings.ts';
import { settingNames } from '../stack-settings.ts';
import { findNearest } from './nearest-name.ts';

/**
 * Checks that there is a setting of this name.
 * @param where - such as `of stage prod in handbill.json`
 * @throws SettingError that names the nearest one
 */
export const assertKnown = (name: string, where?: string): void => {
  if (settingNames.includes(name)) return;
  const nearest = findNearest(name, settingNames);
  const hint =
    nearest === undefined ? 'README.md#configure lists all.' : `Did you mean ${nearest}?`;
  throw new SettingError(`Unknown setting ${[name, where].filter(Boolean).join(' ')}. ${hint}`);
};
