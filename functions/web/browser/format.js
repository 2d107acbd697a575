import { getDeviceFamily } from '../../../shared/auth/device.ts';
import { commonTexts as texts } from './texts.ts';

/**
 * Where to go after signing in: the path of this host that the address asks for, and nothing else.
 * @param {string} search the query string
 * @param {string} origin of this host
 * @returns {string} a whole address: a path alone that begins with `//` would be another host
 */
export const destination = (search, origin) => {
  const next = new URLSearchParams(search).get('next') ?? '';
  const account = `${origin}/account`;
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return account;
  const url = new URL(next, origin);
  return url.origin === origin ? url.href : account;
};

/**
 * A user agent in words, such as "Chrome on Linux".
 * @param {string | null} userAgent
 */
export const deviceName = (userAgent) => {
  if (!userAgent) return texts.unknownDevice;
  return getDeviceFamily(userAgent) ?? userAgent.slice(0, 40);
};

const instant = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** @param {string} iso */
export const timeText = (iso) => instant.format(new Date(iso));

/** @param {string} iso */
export const dayText = (iso) => day.format(new Date(iso));

/** @param {number} count */
export const daysText = (count) => texts.days(count);
