import type * as z from 'zod';
import type { ErrorDetail } from '../runtime/errors.ts';

/** Marks a union without its own message: its branches describe the error. */
const unresolvedUnion = '\u0000union';

const maxDetails = 50;

/** Names of parameters and record keys are chosen by the caller. */
const maxFieldCharacters = 100;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  bigint: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  set: 'an array',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  date: 'a date',
  file: 'a file',
  null: 'null',
};

const formatMessages: Readonly<Record<string, string>> = {
  email: 'must be a valid email address',
  url: 'must be a URL',
  datetime: 'must be a time such as 2026-01-31T12:00:00Z',
  date: 'must be a date such as 2026-01-31',
  time: 'must be a time of day such as 12:00:00',
  duration: 'must be a duration such as PT1H',
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
  base64: 'must be base64',
  base64url: 'must be base64url',
  json_string: 'must be valid JSON',
  lowercase: 'must be in lower case',
  uppercase: 'must be in upper case',
};

type Raw<Code extends z.core.$ZodIssue['code']> = Extract<
  z.core.$ZodRawIssue,
  { readonly code: Code }
>;

const describeType = ({ expected }: Raw<'invalid_type'>): string => {
  if (expected === 'nonoptional') return 'is required';
  if (expected === 'never' || expected === 'undefined') return 'must not be set';
  const name = typeNames[expected];
  return name === undefined ? 'has the wrong type' : `must be ${name}`;
};

const units: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

const describeSize = (
  origin: string,
  limit: number | bigint,
  bounds: { readonly inclusive: string; readonly exclusive: string },
  { inclusive = true, exact = false }: { readonly inclusive?: boolean; readonly exact?: boolean },
): string => {
  const unit = units[origin]?.[Number(limit) === 1 ? 0 : 1];
  const bound = inclusive ? bounds.inclusive : bounds.exclusive;
  const amount = `${exact ? 'exactly' : bound} ${limit}${unit === undefined ? '' : ` ${unit}`}`;
  return unit === undefined || origin === 'string' ? `must be ${amount}` : `must contain ${amount}`;
};

const describeFormat = (issue: Raw<'invalid_format'>): string => {
  const { format, prefix, suffix, includes } = issue as typeof issue & {
    readonly prefix?: string;
    readonly suffix?: string;
    readonly includes?: string;
  };
  if (prefix !== undefined) return `must start with ${JSON.stringify(prefix)}`;
  if (suffix !== undefined) return `must end with ${JSON.stringify(suffix)}`;
  if (includes !== undefined) return `must contain ${JSON.stringify(includes)}`;
  return formatMessages[format] ?? 'has the wrong format';
};

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;

/**
 * Describes an issue of a schema that has no message of its own. Completes "<field> …": lower case, no full stop. Pass
 * it as `error` to `safeParse`.
 */
export const describeIssue = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue);
    case 'too_small':
      if (Number(issue.minimum) === 1 && issue.origin in units) return 'must not be empty';
      return describeSize(
        issue.origin,
        issue.minimum,
        { inclusive: 'at least', exclusive: 'more than' },
        issue,
      );
    case 'too_big':
      return describeSize(
        issue.origin,
        issue.maximum,
        { inclusive: 'at most', exclusive: 'less than' },
        issue,
      );
    case 'invalid_format':
      return describeFormat(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'is unknown';
    case 'invalid_union':
      if (issue.errors.length > 0) return unresolvedUnion;
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(issue.options)
        : 'is ambiguous';
    case 'invalid_key':
      return 'has an invalid name';
    case 'invalid_element':
      return 'contains an invalid value';
    case 'invalid_value':
      return oneOf(issue.values);
    default:
      return 'is invalid';
  }
};

const isMissing = ({ code, input }: z.core.$ZodIssue): boolean =>
  input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(code);

type Path = readonly PropertyKey[];

/** Formats the path of a field, up to a maximum length. */
export const toField = (path: Path, root: string): string =>
  path.map(String).join('.').slice(0, maxFieldCharacters) || root;

/** Returns whether a branch of a union rejected the type or value as a whole. */
const isOtherType = ([first]: readonly z.core.$ZodIssue[]): boolean =>
  first?.path.length === 0 && (first.code === 'invalid_type' || first.code === 'invalid_value');

const alternatives = (branches: readonly (readonly z.core.$ZodIssue[])[]): string => {
  const messages = [...new Set(branches.flatMap(([first]) => first?.message ?? []))];
  const all = messages.map((message) => message.replace(/^must be /, ''));
  return `must be ${all.join(' or ')}`;
};

const toDetails = (issue: z.core.$ZodIssue, parent: Path, root: string): ErrorDetail[] => {
  const path = [...parent, ...issue.path];
  const field = toField(path, root);
  if (isMissing(issue)) return [{ field, message: 'is required' }];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: toField([...path, key], root),
      message: issue.message,
    }));
  }
  if (issue.code !== 'invalid_union' || issue.message !== unresolvedUnion) {
    return [{ field, message: issue.message }];
  }
  const fitting = issue.errors.filter((branch) => !isOtherType(branch));
  const [closest] = fitting.toSorted((one, other) => one.length - other.length);
  return closest
    ? closest.flatMap((inner) => toDetails(inner, path, root))
    : [{ field, message: alternatives(issue.errors) }];
};

/** Keeps the first detail of each field, up to 50, because a body may have as many invalid items as bytes. */
export const eachFieldOnce = (details: readonly ErrorDetail[]): ErrorDetail[] => {
  const byField = new Map<string, ErrorDetail>();
  for (const detail of details) {
    if (byField.size === maxDetails) break;
    if (!byField.has(detail.field)) byField.set(detail.field, detail);
  }
  return [...byField.values()];
};

/**
 * Converts issues to error details, one per field. `root` names the whole value; a nested field is named by its path
 * (`attendees.0.id`). Of a union, the closest branch is described.
 */
export const describeIssues = (issues: readonly z.core.$ZodIssue[], root: string): ErrorDetail[] =>
  eachFieldOnce(issues.flatMap((issue) => toDetails(issue, [], root)));
