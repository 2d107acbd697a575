import { computed, signal } from '@preact/signals';
import type { ApiError } from '../../../../browser/client/api-error.ts';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { createSource } from '../../../../browser/data/source.ts';
import type { DocumentSummary } from '../../../../browser/document-dialogs/document.ts';
import { api } from '../../../../browser/shell/api.ts';
import { orReload } from '../../../../browser/shell/reload.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';

export type Document = Data<'GET /api/documents/{id}'>;

const [, addressed = '0'] = /^\/documents\/(new|\d{1,16})$/.exec(location.pathname) ?? [];

/** Returns the id of the document; 0 of one that isn’t stored. */
export const getId = (): number =>
  source.data.peek()?.id ?? (addressed === 'new' ? 0 : Number(addressed));

/** The document as it is stored. */
export const source = createSource(async () => {
  const isNew = addressed === 'new' && getId() === 0;
  const created = isNew && (await orReload(import('./new-document.ts'))).createDocument();
  return created || api.call('GET /api/documents/{id}', { params: { id: getId() } });
});

export const { load } = source;

/** Whether there is no such document for this user. */
export const isMissing = computed(() => {
  const failure = source.failure.value as ApiError | undefined;
  return failure?.status === 404 || failure?.status === 400;
});

/** Whether it was moved to the trash here. */
export const isDeleted = signal(false);

/** Shows what is stored now. What the list of documents shows of it lacks the content. */
export const showStored = (next: DocumentSummary | Document): void => {
  const { value } = source.data;
  if (value) source.data.value = { ...value, ...next };
};

/** Whether the document is the user’s, or one of all that the user manages: then only a permission can be missing. */
export const isOwn = ({ author_id }: Pick<Document, 'author_id'>): boolean =>
  author_id === signedIn?.user.id || may('documents:manage');

/** How a text is edited and shown: Markdown and HTML have a preview. */
export const toLanguage = (type: string): 'markdown' | 'html' | undefined =>
  type === 'markdown' || type === 'html' ? type : undefined;
