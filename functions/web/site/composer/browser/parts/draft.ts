/** The keys of stored drafts: one for a new share, one for the last edited share. */
const keys = { new: 'handbill-draft', edit: 'handbill-edit' };

/** The maximum length of a draft in UTF-16 units; browsers store about 5 million per host. */
const maxLength = 2_200_000;

/** The values of the form. */
export interface Snapshot {
  readonly content: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The stored draft of a share, without its password. */
export interface Draft extends Snapshot {
  /** The id of the edited share. */
  readonly id: string | undefined;
  /** The version of the share when editing began; views don't change it. */
  readonly version: number | undefined;
  /** Whether the user left to sign in. */
  readonly isAway: boolean;
}

const getKey = (id: string | undefined): string => (id === undefined ? keys.new : keys.edit);

/** Returns the draft of this share, or of a new one. */
export const readDraft = (id: string | undefined): Draft | undefined => {
  try {
    const draft = JSON.parse(localStorage.getItem(getKey(id)) ?? 'null');
    const isDraft = typeof draft?.content === 'string' && typeof draft.fields === 'object';
    return isDraft && draft.id === id ? draft : undefined;
  } catch {
    return undefined;
  }
};

/** Deletes the draft of this share, or of a new one. */
export const deleteDraft = (id: string | undefined): void => {
  try {
    // The stored draft may belong to another share.
    if (readDraft(id)) localStorage.removeItem(getKey(id));
  } catch {
    // The browser has no storage.
  }
};

/** Stores a draft. Returns whether it could. */
export const saveDraft = (draft: Draft): boolean => {
  try {
    if (draft.content.length > maxLength) throw new RangeError('Too long');
    localStorage.setItem(getKey(draft.id), JSON.stringify(draft));
    return true;
  } catch {
    // An older draft must not be restored instead.
    deleteDraft(draft.id);
    return false;
  }
};
