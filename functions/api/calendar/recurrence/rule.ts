import { invalidField } from '../../../../shared/runtime/errors.ts';

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof frequencies)[number];

/** A valid and supported recurrence rule (RFC 5545 §3.3.10). */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | undefined;
  /** As sent: `20261231`, `20261231T090000` or `20261231T090000Z`. */
  readonly until: string | undefined;
  /** The other parts, as stored. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

const maxLength = 500;
const maxInterval = 1_000;
const maxCount = 1_000;
const maxTimesADay = 24;
const maxCandidates = 1_000;

export const weekdays: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A part with integers. A signed one counts from the end if negative. */
interface NumberPart {
  readonly min: number;
  readonly max: number;
  readonly isSigned?: true;
  /** The allowed frequencies; all if absent. */
  readonly only?: readonly Frequency[];
}

const numberParts: Readonly<Record<string, NumberPart>> = {
  BYMONTH: { min: 1, max: 12 },
  BYWEEKNO: { min: 1, max: 53, isSigned: true, only: ['YEARLY'] },
  BYYEARDAY: { min: 1, max: 366, isSigned: true, only: ['YEARLY'] },
  BYMONTHDAY: { min: 1, max: 31, isSigned: true, only: ['DAILY', 'MONTHLY', 'YEARLY'] },
  BYHOUR: { min: 0, max: 23 },
  BYMINUTE: { min: 0, max: 59 },
  BYSECOND: { min: 0, max: 59 },
  BYSETPOS: { min: 1, max: 366, isSigned: true },
};

const timeParts = ['BYHOUR', 'BYMINUTE', 'BYSECOND'] as const;

const invalidRule = (message: string) => invalidField('rrule', message);

const parseInteger = (name: string, text: string, max: number): number => {
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1 || Number(text) > max) {
    throw invalidRule(
      `${name} must be an integer from 1 to ${max}${name === 'COUNT' ? '; for more, use UNTIL' : ''}`,
    );
  }
  return Number(text);
};

const assertNumber = (name: string, text: string, frequency: Frequency): void => {
  const { min, max, isSigned, only } = numberParts[name] as NumberPart;
  if (only && !only.includes(frequency)) {
    throw invalidRule(`${name} requires FREQ=${only.join(' or ')}`);
  }
  const size = Number(/^[+-]?(\d{1,3})$/.exec(text)?.[1]);
  const hasSign = /^[+-]/.test(text);
  if (!(size >= min && size <= max) || (hasSign && !isSigned)) {
    throw invalidRule(`${name} must be ${isSigned ? '±' : ''}${min} to ${max}`);
  }
};

const assertDay = (text: string, frequency: Frequency, hasWeeks: boolean): void => {
  const [, ordinal = '', day = ''] = /^([+-]?\d{1,2})?(\w\w)$/.exec(text) ?? [];
  if (!weekdays.includes(day)) throw invalidRule('BYDAY must be MO to SU');
  if (ordinal === '') return;
  const max = frequency === 'MONTHLY' ? 5 : 53;
  const size = Math.abs(Number(ordinal));
  const isAllowed = frequency === 'MONTHLY' || (frequency === 'YEARLY' && !hasWeeks);
  if (!isAllowed || size < 1 || size > max) {
    throw invalidRule(
      'BYDAY can have numbers only with FREQ=MONTHLY (up to 5) or FREQ=YEARLY without BYWEEKNO (up to 53)',
    );
  }
};

const splitParts = (text: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (name === '' || value === '' || rest.length > 0) {
      throw invalidRule('must consist of NAME=value parts, such as FREQ=WEEKLY;BYDAY=MO');
    }
    if (found.has(name)) throw invalidRule(`repeats ${name}`);
    found.set(name, value);
  }
  return found;
};

const daysIn: Readonly<Record<Frequency, number>> = {
  DAILY: 1,
  WEEKLY: 7,
  MONTHLY: 31,
  YEARLY: 366,
};

/** Returns an upper bound for the days with a start in one period. */
const estimateDays = (frequency: Frequency, parts: Rule['parts']): number => {
  const size = (name: string) => parts.get(name)?.length ?? 0;
  const days = parts.get('BYDAY') ?? [];
  const hasEvery = days.some((day) => day.length === 2);
  const months = frequency === 'YEARLY' ? size('BYMONTH') || 12 : 1;
  if (size('BYYEARDAY') > 0) return size('BYYEARDAY');
  if (size('BYWEEKNO') > 0) {
    return size('BYWEEKNO') * (size('BYDAY') || (size('BYMONTHDAY') > 0 ? 7 : 1));
  }
  if (size('BYMONTHDAY') > 0) return Math.min(months * size('BYMONTHDAY'), daysIn[frequency]);
  if (days.length === 0) return frequency === 'YEARLY' ? size('BYMONTH') || 1 : 1;
  if (frequency === 'YEARLY' && hasEvery) return Math.min(months * 31, 366);
  return Math.min(days.length * (frequency === 'MONTHLY' && hasEvery ? 5 : months), 366);
};

const isTime = (name: string): boolean => (timeParts as readonly string[]).includes(name);

/**
 * Parses a rule of RFC 5545, with or without the prefix `RRULE:`, blanks around its parts and a semicolon at its end.
 * @throws AppError VALIDATION_ERROR for `rrule` if it is invalid, or recurs more than 24 times a day or 1 000 times per period
 */
export const parseRule = (text: string, isAllDay: boolean): Rule => {
  const normalized = text
    .trim()
    .toUpperCase()
    // Some programs write blanks around the parts and end the last one with a semicolon, too.
    .replace(/\s*([:;=,])\s*/g, '$1')
    .replace(/^RRULE:/, '')
    .replace(/;$/, '');
  if (normalized.length > maxLength) throw invalidRule(`must be at most ${maxLength} characters`);
  const { FREQ, INTERVAL, COUNT, UNTIL, WKST, ...lists } = Object.fromEntries(
    splitParts(normalized),
  );
  const frequency = frequencies.find((name) => name === FREQ);
  if (!frequency) {
    throw invalidRule(
      'must contain FREQ=DAILY, WEEKLY, MONTHLY or YEARLY; for several times a day, use FREQ=DAILY;BYHOUR=9,12',
    );
  }
  const parts = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(lists)) {
    const values = [...new Set(value.split(','))];
    if (name === 'BYDAY') for (const day of values) assertDay(day, frequency, 'BYWEEKNO' in lists);
    else if (name in numberParts)
      for (const number of values) assertNumber(name, number, frequency);
    else throw invalidRule(`contains unsupported part ${name.slice(0, 20)}`);
    if (isTime(name) && isAllDay) throw invalidRule(`cannot contain ${name} for an all-day event`);
    parts.set(
      name,
      values.map((text) => text.replace('+', '')),
    );
  }
  if (WKST !== undefined) {
    if (!weekdays.includes(WKST)) throw invalidRule('WKST must be MO to SU');
    parts.set('WKST', [WKST]);
  }
  if (parts.has('BYSETPOS') && [...parts.keys()].every((name) => /^(BYSETPOS|WKST)$/.test(name))) {
    throw invalidRule('BYSETPOS requires another part, such as BYDAY');
  }
  if (COUNT !== undefined && UNTIL !== undefined)
    throw invalidRule('cannot contain both COUNT and UNTIL');
  if (UNTIL !== undefined && !/^\d{8}(T\d{6}Z?)?$/.test(UNTIL)) {
    throw invalidRule('UNTIL must be a date or time such as 20261231 or 20261231T225959Z');
  }
  const times = timeParts.reduce((product, name) => product * (parts.get(name)?.length ?? 1), 1);
  if (times > maxTimesADay) throw invalidRule(`must recur at most ${maxTimesADay} times a day`);
  if (estimateDays(frequency, parts) * times > maxCandidates) {
    throw invalidRule(`must recur at most ${maxCandidates} times per period; use FREQ=DAILY`);
  }
  return {
    frequency,
    interval: INTERVAL === undefined ? 1 : parseInteger('INTERVAL', INTERVAL, maxInterval),
    count: COUNT === undefined ? undefined : parseInteger('COUNT', COUNT, maxCount),
    until: UNTIL,
    parts,
  };
};

/** Formats a rule as it is stored and returned, with a normalized `until`. */
export const formatRule = (
  { frequency, interval, parts, count }: Rule,
  until: string | undefined,
): string =>
  [
    `FREQ=${frequency}`,
    ...(interval === 1 ? [] : [`INTERVAL=${interval}`]),
    ...[...parts].map(([name, values]) => `${name}=${values.join(',')}`),
    ...(count === undefined ? [] : [`COUNT=${count}`]),
    ...(until === undefined ? [] : [`UNTIL=${until}`]),
  ].join(';');
