import { computed } from '@preact/signals';
import { compareNames } from '../../../../../../shared/text/sort-name.ts';
import type { Item } from '../../../../browser/client/endpoints.ts';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { createUrlList } from '../../../../browser/data/record-list.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { parseView, toQuery, toUrl, type View } from '../../view.ts';

type Trashed = Item<'GET /api/documents/trash'>;

/** A document of the list. Those in the trash say when they were deleted. */
export type Document = Item<'GET /api/documents'> &
  Partial<Pick<Trashed, 'deletedAt' | 'purgedAt'>>;

export const pageSize = 25;

const me = signedIn?.user.id;

export const { url, view, list, selection } = createUrlList<View, Document>({
  parse: parseView,
  toUrl,
  read: (shown, start) =>
    shown.show === 'trash'
      ? api.call('GET /api/documents/trash', { query: { pageSize, ...start } })
      : api.call('GET /api/documents', { query: { ...toQuery(shown, me), pageSize, ...start } }),
});

/** The deletions that can still be undone. */
export const deletions = createDeletions<Document, number>({
  items: list.items,
  getId: ({ id }) => id,
  getName: ({ title }) => title,
  send: ({ id }, { keepalive }) =>
    api.call('DELETE /api/documents/{id}', { params: { id }, keepalive }),
  onDeleted: () => list.load(),
});

/** The documents to show. */
export const shown = computed(() =>
  list.items.value?.filter(
    ({ id }) => view.value.show === 'trash' || !deletions.hidden.value.has(id),
  ),
);

/** Moves documents to the trash, which can be undone for some seconds. */
export const remove = (documents: readonly Document[]): void => {
  selection.value = new Set();
  deletions.remove(documents);
};

/** Shows a document as it is now. */
export const showDocument = (document: Document): void => {
  list.items.value = list.items.value?.map((one) => (one.id === document.id ? document : one));
};

/** How many documents, the newest, tell which folders, tags, types and authors there are. */
const maxRead = 200;

const newest = createSource(async () => {
  const found: Document[] = [];
  for await (const one of api.items('GET /api/documents', { maxItems: maxRead })) found.push(one);
  return found;
});

/** Loads what can be chosen from, once it is needed. */
export const loadChoices = async (): Promise<void> => {
  if (newest.data.value === undefined) await newest.load();
};

const sortNames = (names: readonly (string | null)[]): readonly string[] =>
  [...new Set(names)]
    .filter((name) => name !== null)
    .filter(Boolean)
    .toSorted(compareNames);

/** The folders, tags, types and authors that are known, to choose from. */
export const choices = computed(() => {
  const { folder, tag, type } = view.value;
  const known = [...(newest.data.value ?? []), ...(list.items.value ?? [])];
  const authors = new Map(known.map(({ author }) => [author.id, author.name]));
  if (signedIn) authors.delete(signedIn.user.id);
  return {
    folders: sortNames([folder, ...known.map((one) => one.folder)]),
    tags: sortNames([tag, ...known.flatMap(({ tags }) => tags)]),
    types: sortNames([type, ...known.map((one) => one.type)]),
    authors: [...authors].toSorted(([, one], [, other]) => compareNames(one, other)),
  };
});

/** Returns whether a document is the user’s own. */
export const isOwn = ({ author_id: author }: Document): boolean => author === me;
