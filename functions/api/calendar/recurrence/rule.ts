import { invalidField } from '../../../../shared/runtime/errors.ts';

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof frequencies)[number];

/** A recurrence rule (RFC 5545 §3.3.10) that is known to be one we take. */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | undefined;
  /** As it was written: `20261231`, `20261231T090000` or `20261231T090000Z`. */
  readonly until: string | undefined;
  /** Its other parts, as they are stored. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

const maxLength = 500;
const maxInterval = 1_000;
const maxCount = 1_000;
const maxTimesADay = 24;
const maxCandidates = 1_000;

export const weekdays: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** What a part takes: whole numbers within bounds, each also from the end where it is signed. */
interface NumberPart {
  readonly min: number;
  readonly max: number;
  readonly isSigned?: true;
  /** With which frequencies it may stand; with all where that is absent. */
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

const wholeNumber = (name: string, text: string, max: number): number => {
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1 || Number(text) > max) {
    throw invalidRule(
      `has ${name}=${text}, which must be a whole number from 1 to ${max}${name === 'COUNT' ? '; for more, name the end by UNTIL' : ''}`,
    );
  }
  return Number(text);
};

const assertNumber = (name: string, text: string, frequency: Frequency): void => {
  const { min, max, isSigned, only } = numberParts[name] as NumberPart;
  if (only && !only.includes(frequency)) {
    throw invalidRule(`can have ${name} only with FREQ=${only.join(' or ')}`);
  }
  const size = Number(/^[+-]?(\d{1,3})$/.exec(text)?.[1]);
  const hasSign = /^[+-]/.test(text);
  if (!(size >= min && size <= max) || (hasSign && !isSigned)) {
    throw invalidRule(`has ${text} in ${name}, which takes ${isSigned ? '±' : ''}${min} to ${max}`);
  }
};

const assertDay = (text: string, frequency: Frequency, hasWeeks: boolean): void => {
  const [, ordinal = '', day = ''] = /^([+-]?\d{1,2})?(\w\w)$/.exec(text) ?? [];
  if (!weekdays.includes(day)) throw invalidRule(`has ${text} in BYDAY, which takes MO to SU`);
  if (ordinal === '') return;
  const most = frequency === 'MONTHLY' ? 5 : 53;
  const size = Math.abs(Number(ordinal));
  const isAllowed = frequency === 'MONTHLY' || (frequency === 'YEARLY' && !hasWeeks);
  if (!isAllowed || size < 1 || size > most) {
    throw invalidRule(
      `has ${text} in BYDAY: a number is for FREQ=MONTHLY (to 5) and FREQ=YEARLY without BYWEEKNO (to 53)`,
    );
  }
};

const split = (text: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (name === '' || value === '' || rest.length > 0) {
      throw invalidRule('must be parts such as FREQ=WEEKLY;BYDAY=MO, each a name, = and a value');
    }
    if (found.has(name)) throw invalidRule(`has ${name} twice`);
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

/** At most so many days of a period have a start: none of them are counted exactly. */
const candidateDays = (frequency: Frequency, parts: Rule['parts']): number => {
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
 * Reads a rule of RFC 5545 as users send it, with or without `RRULE:` before it.
 * @throws AppError VALIDATION_ERROR about `rrule`, for what is no rule and for rules that recur more often than a calendar
 *   shows: within a day 24 times at most, and in one period 1 000 times
 */
export const parseRule = (text: string, isAllDay: boolean): Rule => {
  const written = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '');
  if (written.length > maxLength) throw invalidRule(`must have at most ${maxLength} characters`);
  const { FREQ, INTERVAL, COUNT, UNTIL, WKST, ...lists } = Object.fromEntries(split(written));
  const frequency = frequencies.find((one) => one === FREQ);
  if (!frequency) {
    throw invalidRule(
      `must have FREQ=DAILY, WEEKLY, MONTHLY or YEARLY; for several times a day, FREQ=DAILY;BYHOUR=9,12`,
    );
  }
  const parts = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(lists)) {
    const values = [...new Set(value.split(','))];
    if (name === 'BYDAY') for (const one of values) assertDay(one, frequency, 'BYWEEKNO' in lists);
    else if (name in numberParts) for (const one of values) assertNumber(name, one, frequency);
    else
      throw invalidRule(`has ${name.slice(0, 20)}, which is no part of a rule that is supported`);
    if (isTime(name) && isAllDay)
      throw invalidRule(`can not have ${name} where the event is all day`);
    parts.set(
      name,
      values.map((one) => one.replace('+', '')),
    );
  }
  if (WKST !== undefined) {
    if (!weekdays.includes(WKST))
      throw invalidRule(`has WKST=${WKST}, which must be one of MO to SU`);
    parts.set('WKST', [WKST]);
  }
  if (parts.has('BYSETPOS') && [...parts.keys()].every((name) => /^(BYSETPOS|WKST)$/.test(name))) {
    throw invalidRule('has BYSETPOS, which needs another part to choose from, such as BYDAY');
  }
  if (COUNT !== undefined && UNTIL !== undefined)
    throw invalidRule('can not have both COUNT and UNTIL');
  if (UNTIL !== undefined && !/^\d{8}(T\d{6}Z?)?$/.test(UNTIL)) {
    throw invalidRule(`has UNTIL=${UNTIL}, which must be as 20261231 or 20261231T225959Z`);
  }
  const times = timeParts.reduce((product, name) => product * (parts.get(name)?.length ?? 1), 1);
  if (times > maxTimesADay)
    throw invalidRule(`recurs ${times} times a day, more than ${maxTimesADay}`);
  if (candidateDays(frequency, parts) * times > maxCandidates) {
    throw invalidRule(`recurs more than ${maxCandidates} times in a period: use FREQ=DAILY`);
  }
  return {
    frequency,
    interval: INTERVAL === undefined ? 1 : wholeNumber('INTERVAL', INTERVAL, maxInterval),
    count: COUNT === undefined ? undefined : wholeNumber('COUNT', COUNT, maxCount),
    until: UNTIL,
    parts,
  };
};

/** The rule as it is stored and shown; `until` in place of what was written. */
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
