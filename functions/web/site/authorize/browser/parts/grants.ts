import { can, permissions } from '../../../../../../shared/permissions/permissions.ts';
import { expandScopes, getPermissionEntries } from '../../../../../../shared/permissions/scopes.ts';
import { areaTexts, grantTexts } from '../../grant-texts.ts';
import { consentTexts as texts } from '../../texts.ts';

/** What an app can do, as a line of the page. */
export interface Grant {
  readonly text: string;
  /** The permissions and scopes that it takes. */
  readonly entries: readonly string[];
}

/** Returns the permissions and scopes of an entry, such as all of `documents:*`. One that isn't known here is left as it is. */
const expand = (entry: string): readonly string[] => {
  const held = getPermissionEntries([entry]);
  const found = [...expandScopes([entry]), ...permissions.filter((one) => can(held, one))];
  return found.length === 0 ? [entry] : found;
};

/** Returns what entries allow, each once: in plain words, or else by their own name. */
export const toGrants = (entries: readonly string[]): readonly Grant[] => {
  const left = new Set(entries.flatMap(expand));
  const known = grantTexts.flatMap(([text, ...needed]) => {
    if (!needed.every((entry) => left.has(entry))) return [];
    for (const entry of needed) left.delete(entry);
    return [{ text, entries: needed }];
  });
  return [...known, ...[...left].map((entry) => ({ text: entry, entries: [entry] }))];
};

/** Returns those of the entries that remain without some permissions. A wildcard of which some are off becomes what is left of it. */
export const removeEntries = (
  entries: readonly string[],
  off: ReadonlySet<string>,
): readonly string[] => [
  ...new Set(
    entries.flatMap((entry) => {
      const all = expand(entry);
      const kept = all.filter((one) => !off.has(one));
      return kept.length === all.length ? [entry] : kept;
    }),
  ),
];

/** Says what entries don't allow: "No documents, messages or settings". */
export const describeMissing = (entries: readonly string[]): string | undefined => {
  const areas = new Set(entries.flatMap(expand).map((entry) => entry.split(':')[0]));
  const missing = areaTexts.flatMap(([name, ...some]) =>
    some.some((area) => areas.has(area)) ? [] : [name],
  );
  const last = missing.pop();
  if (last === undefined) return undefined;
  return texts.cannot(missing.length === 0 ? last : missing.join(', ') + texts.or + last);
};
