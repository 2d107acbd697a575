import { ConflictError } from '../client/api-error.ts';
import type { Item } from '../client/endpoints.ts';
import { api } from '../shell/api.ts';
import { may } from '../shell/session.ts';

/** A document without its content. */
export type DocumentSummary = Item<'GET /api/documents'>;

/** Returns whether the user may write documents: one who may only create could not go on after the first save. */
export const mayCreate = (): boolean => may('documents:create') && may('documents:update');

/** Returns whether the user may change title and content of a document. */
export const mayEdit = ({ actions }: DocumentSummary): boolean => actions.includes('edit');

/** Returns whether the user may change all of a document, and who reads it. */
export const mayManage = ({ actions }: DocumentSummary): boolean => actions.includes('manage');

/** Returns whether the user may delete a document. */
export const mayDelete = ({ actions }: DocumentSummary): boolean => actions.includes('delete');

/** What dialogs change of a document. */
export type DocumentChange = Partial<
  Pick<DocumentSummary, 'title' | 'type' | 'folder' | 'tags' | 'visibility' | 'everyoneRole'>
>;

/** Someone else has changed the same as the user. */
export class DocumentConflict extends Error {
  /** The document as it is stored now. */
  readonly current: DocumentSummary;

  constructor(error: ConflictError, current: DocumentSummary) {
    super(error.message, { cause: error });
    this.current = current;
  }
}

const isUnchanged = (change: DocumentChange, one: DocumentSummary, other: DocumentSummary) =>
  (Object.keys(change) as (keyof DocumentChange)[]).every(
    (name) => JSON.stringify(one[name]) === JSON.stringify(other[name]),
  );

/**
 * Changes a document as it is shown. What others have changed of it meanwhile stays.
 * @throws DocumentConflict if that is the same; ApiError
 */
export const changeDocument = async (
  shown: DocumentSummary,
  change: DocumentChange,
): Promise<DocumentSummary> => {
  const { id, version } = shown;
  try {
    return await api.call('PUT /api/documents/{id}', {
      params: { id },
      body: change,
      ifMatch: version,
    });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const current = (await error.readCurrent<DocumentSummary>())?.data;
    if (!current) throw error;
    if (!isUnchanged(change, shown, current)) throw new DocumentConflict(error, current);
    return changeDocument(current, change);
  }
};
