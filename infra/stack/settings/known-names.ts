import { distance } from 'fastest-levenshtein';
import { SettingError } from '../../../shared/runtime/settings.ts';
import { settingNames } from '../stack-settings.ts';

/** `CORS_ORIGINS` is `corsOrigins` to people. */
const simplify = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Returns the setting that a name was probably meant to be: at most a third of it is another one. */
const findNearest = (name: string): string | undefined => {
  const simple = simplify(name);
  const [nearest] = settingNames
    .map((known) => ({ known, edits: distance(simple, simplify(known)) }))
    .filter(({ edits }) => edits <= simple.length / 3)
    .toSorted((one, other) => one.edits - other.edits);
  return nearest?.known;
};

/**
 * Checks that there is a setting of this name.
 * @param where - such as `of stage prod in handbill.json`
 * @throws SettingError that names the nearest one
 */
export const assertKnown = (name: string, where?: string): void => {
  if (settingNames.includes(name)) return;
  const nearest = findNearest(name);
  const hint =
    nearest === undefined ? 'README.md#configure lists all.' : `Did you mean ${nearest}?`;
  throw new SettingError(`Unknown setting ${[name, where].filter(Boolean).join(' ')}. ${hint}`);
};
