import { computed } from '@preact/signals';
import { compareNames } from '../../../../../../shared/text/sort-name.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { directory } from '../../../../browser/people/directory.ts';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import type { View } from '../../view.ts';
import { type Document, list, nameType, view } from './state.ts';

/** What a filter can be. */
export interface Choice {
  readonly label: string;
  readonly filter: Partial<View>;
}

/** Some of what a filter can be. */
export interface Choices {
  readonly choices: readonly Choice[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

type Kind = 'folder' | 'tag' | 'type';

const readNames = (of: Kind, search?: string) =>
  api.call('GET /api/documents/names', {
    query: {
      of,
      ...(search && { search }),
      ...(view.value.show === 'shared' && { shared: 'true' as const }),
    },
  });

const sources = {
  folders: createSource(() => readNames('folder')),
  tags: createSource(() => readNames('tag')),
};

const sortNames = (names: readonly (string | null)[]): readonly string[] =>
  [...new Set(names)].filter((name): name is string => !!name).toSorted(compareNames);

/** The folders and tags to choose from when a document is changed. */
export const known = computed(() => {
  const { folders, tags } = sources;
  const shown = list.items.value ?? [];
  return {
    folders: sortNames([
      ...(folders.data.value?.names ?? []),
      ...shown.map(({ folder }) => folder),
    ]),
    tags: sortNames([...(tags.data.value?.names ?? []), ...shown.flatMap((one) => one.tags)]),
  };
});

/** Loads `known`, once a document is changed. */
export const loadKnown = (): Promise<unknown> =>
  Promise.all([sources.folders.load(), sources.tags.load()]);

/** Returns how to find what a filter by name can be. */
const findNames =
  (of: Kind, toLabel: (name: string) => string = String) =>
  async (search: string): Promise<Choices> => {
    const { names, isWhole } = await readNames(
      of,
      of === 'tag' ? search.replace(/^#/, '') : search,
    );
    const choices = names
      .toSorted(compareNames)
      .map((name): Choice => ({ label: toLabel(name), filter: { [of]: name } }));
    return { choices, isWhole };
  };

/** How many documents, the newest, tell of whom there are some: others are found by their name. */
const maxRead = 200;

const newest = createSource(async () => {
  const found: Document[] = [];
  for await (const one of api.items('GET /api/documents', { maxItems: maxRead })) found.push(one);
  return found;
});

/** Finds authors: those of the newest documents, and by name. */
const findAuthors = async (search: string): Promise<Choices> => {
  if (newest.data.value === undefined) await newest.load();
  if (newest.failure.value) throw newest.failure.value;
  const documents = [...(newest.data.value ?? []), ...(list.items.value ?? [])];
  const authors = new Map(documents.map(({ author }) => [author.id, author.name]));
  const found = search && directory?.isEnough(search) ? await directory.find(search) : [];
  for (const { id, name } of found) authors.set(id, name);
  if (signedIn) authors.delete(signedIn.user.id);
  const choices = [...authors]
    .toSorted(([, one], [, other]) => compareNames(one, other))
    .map(([author, label]): Choice => ({ label, filter: { author } }));
  return { choices, isWhole: directory === undefined };
};

/** How to find what each filter can be. */
export const finders = {
  folder: findNames('folder'),
  tag: findNames('tag', (tag) => `#${tag}`),
  type: findNames('type', nameType),
  author: findAuthors,
} as const;
