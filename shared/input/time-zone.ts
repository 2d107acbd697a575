import * as z from 'zod';
import { isTimeZone } from '../runtime/settings.ts';
import windowsZones from './built/windows-zones.json' with { type: 'json' };

const ianaByWindows: ReadonlyMap<string, string> = new Map(Object.entries(windowsZones));

/**
 * An IANA time zone. A name of Windows, which Outlook and Exchange write, becomes the IANA zone that Unicode's CLDR gives it. A
 * plain offset is invalid, because calendar apps know no name for it.
 */
export const TimeZone = z
  .string()
  .trim()
  .max(100)
  .overwrite((name) => (isTimeZone(name) ? name : (ianaByWindows.get(name.toLowerCase()) ?? name)))
  .refine(
    (name) => /^[A-Z]/i.test(name) && isTimeZone(name),
    'must be an IANA time zone such as Europe/Berlin',
  );
