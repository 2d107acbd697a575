import { type Html, html } from '../../../shared/text/html.ts';

/** An end within this time is shown with its hour (ms). */
const soonMs = 2 * 86_400_000;

const styles = {
  day: { dateStyle: 'long' },
  minute: { dateStyle: 'long', timeStyle: 'short' },
  end: { day: 'numeric', month: 'short' },
  endInOtherYear: { dateStyle: 'medium' },
  endSoon: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

// Created on first use: loading a locale takes a tenth of a cold start.
const formats = new Map<keyof typeof styles, Intl.DateTimeFormat>();

const format = (style: keyof typeof styles, at: string): string => {
  const known =
    formats.get(style) ?? new Intl.DateTimeFormat('en-GB', { ...styles[style], timeZone: 'UTC' });
  formats.set(style, known);
  return known.format(Date.parse(at));
};

/** Renders a day, such as 22 November 2026. */
export const formatDay = (at: string): Html =>
  html`<time datetime="${at}">${format('day', at)}</time>`;

/** Renders a time to the minute, such as 22 November 2026 at 14:05 UTC. */
export const formatMinute = (at: string): Html =>
  html`<time datetime="${at}">${format('minute', at)} UTC</time>`;

/** Writes an end as short as it is clear: 29 Nov, 3 Feb 2035, or in the last days 29 Nov, 04:05 UTC. */
const shorten = (at: string, now: number): string => {
  if (Date.parse(at) - now < soonMs) return `${format('endSoon', at)} UTC`;
  const isThisYear = at.startsWith(String(new Date(now).getUTCFullYear()));
  return format(isThisYear ? 'end' : 'endInOtherYear', at);
};

/** Renders when a share ends, with the exact time as a tooltip. */
export const formatEnd = (at: string, now = Date.now()): Html =>
  html`<time datetime="${at}" title="${format('minute', at)} UTC">${shorten(at, now)}</time>`;
