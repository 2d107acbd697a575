import { signedIn } from '../../../../browser/shell/session.ts';

/** A change that isn’t saved yet, as this browser keeps it. */
export interface Draft {
  readonly title: string;
  readonly content: string;
  /** The version of the document that it changes. */
  readonly version: number;
  /** What that version says, where there is room for it. */
  readonly base?: { readonly title: string; readonly content: string } | undefined;
}

/** The maximum length of a kept text in UTF-16 units; browsers store about 5 million per host. */
const maxLength = 2_200_000;

/** Each user has their own, so that no one sees what another has written in the same browser. */
const keyOf = (id: number): string => `handbill-document-${signedIn?.user.id ?? 0}-${id}`;

/** Returns the kept change of a document. */
export const readDraft = (id: number): Draft | undefined => {
  try {
    const draft = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null');
    const isDraft =
      typeof draft?.title === 'string' &&
      typeof draft.content === 'string' &&
      typeof draft.version === 'number';
    return isDraft ? draft : undefined;
  } catch {
    return undefined;
  }
};

/** Forgets the kept change of a document. */
export const deleteDraft = (id: number): void => {
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    // The browser has no storage.
  }
};

/** Keeps a change. Returns whether it could. */
export const keepDraft = (id: number, draft: Draft): boolean => {
  try {
    if (draft.content.length > maxLength) throw new RangeError('Too long');
    const { base, ...rest } = draft;
    const isRoom = base && draft.content.length + base.content.length <= maxLength;
    localStorage.setItem(keyOf(id), JSON.stringify(isRoom ? draft : rest));
    return true;
  } catch {
    // An older change must not come back instead.
    deleteDraft(id);
    return false;
  }
};
