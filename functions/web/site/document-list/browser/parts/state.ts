import { computed } from '@preact/signals';
import type { Item } from '../../../../browser/client/endpoints.ts';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { createUrlList } from '../../../../browser/data/record-list.ts';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { documentsTexts as texts } from '../../texts.ts';
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

/** Returns whether a document is the user’s own. */
export const isOwn = ({ author_id: author }: Document): boolean => author === me;

/** Returns the name of an author who is shown. */
export const nameAuthor = (author: number): string | undefined =>
  list.items.value?.find((one) => one.author_id === author)?.author.name;

/** Returns the name of a type of documents. */
export const nameType = (type: string): string => texts.types[type] ?? type;
