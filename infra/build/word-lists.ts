import { dictionary } from '@zxcvbn-ts/language-common';
import windows from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import { nameToEmoji } from 'gemoji';

/** As many as attackers try first; shorter ones are refused anyway. */
const knownPasswords = 10_000;
const minPasswordLength = 6;

/**
 * Returns the best-known passwords in lower case, as JSON. They are the first of zxcvbn's list (MIT), which is in the order
 * of their frequency.
 */
export const buildKnownPasswords = (): string => {
  const all = dictionary['passwords-common'] as readonly string[];
  const longEnough = all.filter(({ length }) => length >= minPasswordLength);
  const lowerCase = new Set(longEnough.map((password) => password.toLowerCase()));
  return JSON.stringify([...lowerCase].slice(0, knownPasswords).sort());
};

/** Returns the IANA time zone of each one of Windows, by its name in lower case, as JSON: those of Unicode's CLDR. */
export const buildWindowsZones = (): string => {
  const zones = windows.supplemental.windowsZones.mapTimezones
    .map(({ mapZone }) => mapZone)
    .filter(({ _territory }) => _territory === '001');
  return JSON.stringify(
    Object.fromEntries(zones.map(({ _other, _type }) => [_other.toLowerCase(), _type])),
  );
};

/** Returns the emoji of GitHub's shortcodes by their names, as JSON: those of gemoji that are characters. */
export const buildEmoji = (): string => JSON.stringify(nameToEmoji);
