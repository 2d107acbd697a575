import { toVisibleLine } from '../../../shared/text/visible.ts';
import { type Choices, toValues } from '../../stack/settings/choices.ts';
import { isProviderSetting } from '../../stack/settings/provider-values.ts';
import { describeDeletions } from '../../stack/settings/retention.ts';
import { parseDeploymentSetting } from '../../stack/stack-settings.ts';
import { print } from '../command.ts';

/** Returns a value as people read it: `closed`, `default (open)`, `default` where its number is in a unit, or `none`. */
export const describeValue = (name: string, value: string): string => {
  if (value !== '') return toVisibleLine(value);
  if (isProviderSetting(name)) return 'none';
  const byDefault = parseDeploymentSetting(name, '');
  const isShown = typeof byDefault === 'boolean' || typeof byDefault === 'string';
  return isShown && byDefault !== '' ? `default (${byDefault})` : 'default';
};

/** Returns a line for each setting with another value: its name, from → to, and where that was chosen. */
const describeChanges = (before: Choices, after: Choices): string[] => {
  const changes = Object.entries(after)
    .map(([name, { value, from }]) => ({ name, value, from, former: before[name]?.value ?? '' }))
    .filter(({ value, former }) => value !== former);
  const rows = changes.map(({ name, value, from, former }) => ({
    name,
    change: `${describeValue(name, former)} → ${describeValue(name, value)}`,
    from,
  }));
  const [names, texts] = [rows.map(({ name }) => name), rows.map(({ change }) => change)].map(
    (column) => Math.max(0, ...column.map(({ length }) => length)),
  );
  return rows.map(
    ({ name, change, from }) => `${name.padEnd(names ?? 0)}  ${change.padEnd(texts ?? 0)}  ${from}`,
  );
};

/** Prints which settings of a stage change. Returns whether there are any. */
export const printChanges = (stage: string, before: Choices, after: Choices): boolean => {
  const changes = describeChanges(before, after);
  if (changes.length === 0) return false;
  const deletions = describeDeletions(toValues(before), toValues(after));
  const lines = changes.map((change) => `  ${change}`);
  print([`Settings of stage ${stage}:`, ...lines, ...deletions].join('\n'));
  return true;
};
