import { canPublish } from '../../../../../../shared/permissions/scopes.ts';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { formatList } from '../../../../browser/data/format.ts';
import {
  type Entry,
  expandTokenEntries,
  tokenEntries,
} from '../../../../browser/people/entries.ts';
import { tokenTexts as texts } from '../../token-texts.ts';

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

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns what may be done in an area, such as `create and read`; `undefined` if nothing. */
const describeActions = (
  all: readonly Entry[],
  granted: ReadonlySet<Entry>,
): string | undefined => {
  const names = all.filter((entry) => granted.has(entry)).map((entry) => entry.split(':')[1]);
  if (names.length === 0) return undefined;
  if (names.length === all.length && all.length > 2) return texts.everything;
  return formatList(
    Object.entries(texts.verbs).flatMap(([action, verb]) => (names.includes(action) ? [verb] : [])),
  );
};

/**
 * Describes in words what a token or a connected app may: "Create and read shares · Read documents and files". `null` is
 * all that the user may.
 */
export const describeEntries = (entries: readonly string[] | null): string => {
  if (entries === null) return texts.allPermissions;
  const granted = expandTokenEntries(entries);
  if (granted.size === 0) return texts.noPermissions;
  const byArea = Map.groupBy(
    tokenEntries,
    (entry) => entry.split(':')[0] as keyof typeof texts.nouns,
  );
  const byActions = Map.groupBy(byArea.keys(), (area) =>
    describeActions(byArea.get(area) ?? [], granted),
  );
  byActions.delete(undefined);
  return [...byActions]
    .map(([actions, areas]) =>
      capitalize(`${actions} ${formatList(areas.map((area) => texts.nouns[area]))}`),
    )
    .join(' · ');
};

const dayS = 86_400;

type TokenCeiling = Partial<NonNullable<Data<'GET /api/auth/tokens'>[number]['ceiling']>>;

/** Describes what a ceiling allows: "only private, up to 7 days, 20 a day"; `undefined` if it limits nothing. */
export const describeBounds = (ceiling: TokenCeiling): string | undefined => {
  const { maxAudience, maxAge, maxViews, sharesPerDay } = ceiling;
  const bounds = [
    maxAudience == null ? undefined : texts.only[maxAudience],
    maxAge == null
      ? undefined
      : texts.upToAge(maxAge % dayS === 0 ? maxAge / dayS : undefined, maxAge),
    maxViews == null ? undefined : texts.upToViews(maxViews),
    sharesPerDay == null ? undefined : texts.aDay(sharesPerDay),
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? undefined : bounds.join(', ');
};

/** Describes what a token may publish: "May publish: only private, up to 7 days, 20 a day". */
export const describeCeiling = (ceiling: TokenCeiling): string => {
  const bounds = describeBounds(ceiling);
  return bounds === undefined ? texts.mayPublishAll : texts.mayPublish(bounds);
};

/** Describes what a connected app may: "Create and read shares · only private, up to 7 days, 20 a day". */
export const describeApp = ({
  permissions,
  ceiling,
}: {
  readonly permissions: readonly string[];
  readonly ceiling: TokenCeiling | null;
}): string => {
  const rights = describeEntries(permissions);
  if (!canPublish(permissions)) return rights;
  return `${rights} · ${(ceiling && describeBounds(ceiling)) ?? texts.withoutLimits}`;
};
