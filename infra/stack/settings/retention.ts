import { parseSetting, type SettingName } from '../../../shared/runtime/settings.ts';
import { describeSpan } from '../../../shared/text/time-span.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** What is deleted, and from when on, by each setting that says how long something is kept. */
const deleted = {
  AUDIT_KEEP: (span: string) => `Audit entries older than ${span} are no longer shown.`,
  MAX_SHARE_AGE: (span: string) =>
    `Shares older than ${span} end at once, and their content is deleted within minutes. A longer time brings none of it back.`,
  MESSAGES_KEEP: (span: string) =>
    `Messages older than ${span} are deleted for everyone, within minutes in most cases. A longer time brings none of them back.`,
  NOTIFICATIONS_KEEP: (span: string) =>
    `Notifications older than ${span} are hidden at once and deleted within minutes. A longer time brings none of them back.`,
} as const satisfies Partial<Record<SettingName, (span: string) => string>>;

type Name = keyof typeof deleted;

const names = Object.keys(deleted) as Name[];

/** Returns how long something is kept, in ms. */
const read = (name: Name, values: Values): number =>
  parseSetting(name, values[name] || undefined) ?? Infinity;

/**
 * Returns a sentence for each setting that keeps something for a shorter time than before: what a deployment deletes by it.
 * @throws SettingError for an invalid value
 */
export const describeDeletions = (before: Values, after: Values): string[] =>
  names.flatMap((name) => {
    const ms = read(name, after);
    return ms < read(name, before) ? [`${name}: ${deleted[name](describeSpan(ms / 1_000))}`] : [];
  });
