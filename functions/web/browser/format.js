import { getDeviceFamily } from '../../../shared/auth/device.ts';
import { commonTexts as texts } from './texts.ts';

/**
 * Formats a user agent, such as "Chrome on Linux".
 * @param {string | null} userAgent
 */
export const formatDevice = (userAgent) => {
  if (!userAgent) return texts.unknownDevice;
  return getDeviceFamily(userAgent) ?? userAgent.slice(0, 40);
};

const instant = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Formats a time. @param {string} iso */
export const formatTime = (iso) => instant.format(new Date(iso));

/** Formats a date. @param {string} iso */
export const formatDay = (iso) => day.format(new Date(iso));

/** Formats a number of days. @param {number} count */
export const formatDays = (count) => texts.days(count);
