import { type Html, html } from '../../../../shared/text/html.ts';
import { createTimeFormat, type TimeStyle } from './time-styles.ts';

// Created on first use: loading a locale takes a tenth of a cold start.
const formats = new Map<TimeStyle, Intl.DateTimeFormat>();

const format = (style: TimeStyle, at: string): string => {
  const known = formats.get(style) ?? createTimeFormat(style, 'UTC');
  formats.set(style, known);
  return known.format(Date.parse(at));
};

/** Renders a time in UTC. Its style lets the script of the page show it in the time zone of the reader. */
const time = (style: TimeStyle, at: string, text: string): Html =>
  html`<time datetime="${at}" data-style="${style}">${text}</time>`;

/** Renders a day, such as 22 November 2026. */
export const formatDay = (at: string): Html => time('day', at, format('day', at));

/** Renders a time to the minute, such as 22 November 2026 at 14:05 UTC. */
export const formatMinute = (at: string): Html => time('minute', at, `${format('minute', at)} UTC`);

const isInYearOf = (at: string, now: number): boolean =>
  at.startsWith(String(new Date(now).getUTCFullYear()));

/** Renders a past day, such as 20 Nov, with the year unless it is this one. */
export const formatShortDay = (at: string, now = Date.now()): Html => {
  const style = isInYearOf(at, now) ? 'shortDay' : 'shortDayInOtherYear';
  return time(style, at, format(style, at));
};

/** Renders when a share ends, such as 29 Nov, 04:05 UTC, with the year unless it is this one. */
export const formatEnd = (at: string, now = Date.now()): Html => {
  const style = isInYearOf(at, now) ? 'end' : 'endInOtherYear';
  return time(style, at, `${format(style, at)} UTC`);
};
