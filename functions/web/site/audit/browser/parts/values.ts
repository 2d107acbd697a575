import { type Audience, audiences } from '../../../../../../shared/permissions/audiences.ts';
import { roleLabels } from '../../../../../../shared/permissions/permissions.ts';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import {
  formatDate,
  formatList,
  formatNumber,
  formatTime,
} from '../../../../browser/data/format.ts';
import { auditTexts as texts } from '../../texts.ts';
import type { Entry } from './state.ts';

const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value);

/** Returns what a field is called; its own name if it is unknown. */
export const getFieldName = (name: string): string =>
  Object.hasOwn(texts.names, name) ? (texts.names[name] ?? name) : name;

const isAudience = (value: unknown): value is Audience => audiences.some((one) => one === value);

/** Writes the value of a field for people: times, sizes, and users by name. */
export const formatValue = (name: string, value: unknown, users: Entry['users']): string => {
  // A share that says nothing is for anyone.
  if (name === 'audience' && value === null) return texts.audiences.link;
  if (value === null || value === undefined || value === '') return texts.nothing;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (Array.isArray(value)) {
    if (value.length === 0) return texts.nothing;
    return formatList(value.map((one) => formatValue(name, one, users)));
  }
  if (typeof value === 'number') {
    const user = users.find(({ id }) => id === value);
    if (user) return user.name;
    if (name === 'size') return formatBytes(value);
    return name.endsWith('Id') ? String(value) : formatNumber(value);
  }
  if (typeof value === 'string') {
    if (name === 'role' && Object.hasOwn(roleLabels, value)) {
      return roleLabels[value as keyof typeof roleLabels];
    }
    if (name.toLowerCase().endsWith('audience') && isAudience(value)) {
      return texts.audiences[value];
    }
    if (name === 'soldAt' && isDay(value)) return formatDate(value);
    return isTime(value) ? formatTime(value) : value;
  }
  return JSON.stringify(value);
};

/** Returns the names of the fields that an entry has, before or after. */
export const listFields = ({ before, after }: Entry): readonly string[] => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
];
