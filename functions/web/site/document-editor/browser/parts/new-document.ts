import type { ApiError } from '../../../../browser/client/api-error.ts';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { mayCreate } from '../../../../browser/document-dialogs/document.ts';
import { documentTexts } from '../../../../browser/document-dialogs/texts.ts';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';

type Document = Data<'GET /api/documents/{id}'>;

interface Values {
  readonly title: string;
  readonly content: string;
}

/** Returns a document that is stored only once something is written, if the user may write documents. */
export const createDocument = (): Document | undefined => {
  if (!signedIn || !mayCreate()) return undefined;
  const { id, name } = signedIn.user;
  const query = new URLSearchParams(location.search);
  const [tag, now] = [query.get('tag'), new Date().toISOString()];
  const [title, person] = [documentTexts.untitled, { id, name, avatar: null }];
  return {
    ...{ id: 0, version: 0, title, name: title, content: '', size: 0, type: 'markdown' },
    ...{ folder: query.get('folder') || null, tags: tag ? [tag] : [], sharedWith: [] },
    ...{ visibility: 'private', everyoneRole: 'reader', actions: ['edit', 'manage', 'delete'] },
    ...{ author_id: id, author: person, editedBy: person, editedAt: now, editing: [] },
    ...{ created_at: now, updated_at: now, createdAt: now, updatedAt: now },
  };
};

/** What is sent to create the document: the same again until there is an answer, because it may have arrived. */
let creation:
  | {
      readonly body: Values & Pick<Document, 'type' | 'folder' | 'tags'>;
      readonly idempotencyKey: string;
    }
  | undefined;

/** Stores the document, with an address of its own. @throws ApiError */
export const create = async ({ title, content }: Values, { type, folder, tags }: Document) => {
  creation ??= {
    body: { title: title.trim(), content, type, folder, tags: [...tags] },
    idempotencyKey: crypto.randomUUID(),
  };
  try {
    const saved = await api.call('POST /api/documents', creation);
    history.replaceState(history.state, '', `/documents/${saved.id}`);
    return saved;
  } catch (error) {
    const { status } = error as ApiError;
    if (status >= 400 && status < 500 && status !== 429) creation = undefined;
    throw error;
  }
};
