import {
  type Entry,
  expandTokenEntries,
  tokenEntries,
} from '../../../../browser/people/permission-grid.tsx';
import { permissionTexts } from '../../../../browser/people/permission-texts.ts';
import { tokenTexts as texts } from '../../token-texts.ts';
import type { Token } from './state.ts';

export const presets = ['publish', 'read', 'all'] as const;

/** A choice of rights with a name; `custom` is any other. */
export type Preset = (typeof presets)[number] | 'custom';

const publishing: readonly Entry[] = ['shares:create', 'shares:update'];

/** Returns the entries of a preset, of those that the user may give. `null` is all, also what the user gets later. */
export const getPresetEntries = (
  preset: (typeof presets)[number],
  grantable: ReadonlySet<Entry>,
): readonly Entry[] | null => {
  if (preset === 'all') return null;
  if (preset === 'publish') return publishing;
  return tokenEntries.filter((entry) => entry.endsWith(':view') && grantable.has(entry));
};

/** Returns which preset the rights of a token are. */
export const findPreset = (entries: readonly string[] | null): Preset => {
  if (entries === null) return 'all';
  const granted = [...expandTokenEntries(entries)];
  if (granted.length === 0) return 'custom';
  if (granted.every((entry) => entry.endsWith(':view'))) return 'read';
  const isPublishing = granted.every((entry) => publishing.includes(entry));
  return isPublishing && granted.includes('shares:create') ? 'publish' : 'custom';
};

/** Describes what a token may by area: "Documents: view, create · Files: all". */
export const describeEntries = (entries: readonly string[] | null): string => {
  if (entries === null) return texts.allPermissions;
  const granted = expandTokenEntries(entries);
  if (granted.size === 0) return texts.noPermissions;
  const byArea = Map.groupBy(tokenEntries, (entry) => entry.split(':')[0] ?? '');
  return [...byArea]
    .flatMap(([area, all]) => {
      const some = all.filter((entry) => granted.has(entry));
      const name = permissionTexts.areas[area as keyof typeof permissionTexts.areas];
      if (some.length === 0) return [];
      if (some.length === all.length) return [texts.allOf(name)];
      const actions = some.map(
        (entry) =>
          permissionTexts.actions[entry.split(':')[1] as keyof typeof permissionTexts.actions],
      );
      return [texts.someOf(name, actions)];
    })
    .join(' · ');
};

const dayS = 86_400;

/** Describes a ceiling: "May publish: only private, up to 7 days, 20 a day". */
export const describeCeiling = ({
  maxAudience,
  maxAge,
  maxViews,
  sharesPerDay,
}: NonNullable<Token['ceiling']>): string => {
  const all = [
    maxAudience == null || maxAudience === 'link' ? undefined : texts.only[maxAudience],
    maxAge == null
      ? undefined
      : texts.upToAge(maxAge % dayS === 0 ? maxAge / dayS : undefined, maxAge),
    maxViews == null ? undefined : texts.upToViews(maxViews),
    sharesPerDay == null ? undefined : texts.aDay(sharesPerDay),
  ];
  const bounds = all.filter((bound) => bound !== undefined);
  return bounds.length === 0 ? texts.mayPublishAll : texts.mayPublish(bounds.join(', '));
};
