/** The keys of stored drafts: one for a new share, one for the last edited share. */
const keys = { new: 'handbill-draft', edit: 'handbill-edit' };

/** The maximum length of a draft in UTF-16 units; browsers store about 5 million per host. */
const mostUnits = 2_200_000;

/**
 * The stored draft of a share, without its password.
 * @typedef {object} Draft
 * @property {string} [id] of the edited share
 * @property {number} [version] of the share when editing began; views don't change it
 * @property {string} content
 * @property {Record<string, string>} fields
 * @property {boolean} isAway whether the user left to sign in
 */

/** @param {string | undefined} id */
const getKey = (id) => (id === undefined ? keys.new : keys.edit);

/** @param {Draft} draft @returns {boolean} whether the draft was stored */
export const saveDraft = (draft) => {
  try {
    if (draft.content.length > mostUnits) throw new RangeError('Too long');
    localStorage.setItem(getKey(draft.id), JSON.stringify(draft));
    return true;
  } catch {
    // An older draft must not be restored instead.
    forget(draft.id);
    return false;
  }
};

/** @param {string | undefined} id */
export const forget = (id) => {
  try {
    // The stored draft may belong to another share.
    if (kept(id)) localStorage.removeItem(getKey(id));
  } catch {
    // The browser has no storage.
  }
};

/**
 * @param {string
 * undefined} id @returns {Draft
 * undefined} the draft of this share, or of a new one
 */
export const kept = (id) => {
  try {
    const draft = JSON.parse(localStorage.getItem(getKey(id)) ?? 'null');
    const isDraft = typeof draft?.content === 'string' && typeof draft.fields === 'object';
    return isDraft && draft.id === id ? draft : undefined;
  } catch {
    return undefined;
  }
};
