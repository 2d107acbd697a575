import type { Actor } from '../../../shared/auth/actor.ts';
import type { KeyFamily, ListScope } from '../../../shared/db/key.ts';
import { readFiltered } from '../../../shared/lists/list-partitions.ts';
import { byFoldedName, foldName, maxNames, readNames } from '../../../shared/lists/names.ts';
import { getViewedScopes, toPartition } from '../../../shared/records/lists.ts';
import { isManager } from './document.ts';
import type { IndexEntry } from './index-entries.ts';
import { documentKeys } from './keys.ts';

/** What documents have in common by name. */
export const namedKinds = ['folder', 'tag', 'type'] as const;

type NamedKind = (typeof namedKinds)[number];

export interface NamesQuery {
  readonly of: NamedKind;
  /** The start of the names, folded on comparing. */
  readonly search?: string | undefined;
  /** Only of what others share with the actor, without what everyone sees. */
  readonly shared?: true | undefined;
}

interface Names {
  readonly names: string[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

const families = {
  folder: documentKeys.byFolder,
  tag: documentKeys.byTag,
  type: documentKeys.byType,
} as const;

const getNames = (of: NamedKind, { folder, tags = [], type }: IndexEntry): readonly string[] => {
  if (of === 'tag') return tags;
  return [of === 'folder' ? folder : type].filter((name) => name !== undefined);
};

const listPartitions = (
  { partitions }: KeyFamily<{ readonly list: ListScope; readonly name: string }, unknown>,
  scopes: readonly ListScope[],
  prefix: string,
) =>
  scopes.flatMap((list) => partitions({ list }).map(({ pk }) => toPartition(list, { pk, prefix })));

/**
 * Lists the first 100 names of folders, tags or types of the documents that the actor can view, by name. The cost grows with
 * the names, not with the documents, and with the documents shared with the actor.
 */
export const listNames = async (
  actor: Actor,
  { of, search = '', shared }: NamesQuery,
): Promise<Names> => {
  const { id: me } = actor.user;
  const manages = isManager(actor);
  const prefix = foldName(search.trimStart());
  const scopes = shared ? [] : getViewedScopes(manages, me);
  const [found, entries] = await Promise.all([
    readNames(families[of], listPartitions(families[of], scopes, prefix)),
    manages && !shared
      ? []
      : readFiltered<IndexEntry>(documentKeys.byId.partition({ list: `SHARED#${me}` }).pk, {}),
  ]);
  const ofShared = entries
    .flatMap((entry) => getNames(of, entry))
    .filter((name) => foldName(name).startsWith(prefix));
  const names = [...new Set([...found, ...ofShared])].toSorted(byFoldedName);
  return { names: names.slice(0, maxNames), isWhole: names.length <= maxNames };
};
