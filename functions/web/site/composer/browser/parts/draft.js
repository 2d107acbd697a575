/** Where the text waits: of a new share, and of the one that was changed last. */
const keys = { new: 'handbill-draft', edit: 'handbill-edit' };

/** UTF-16 units; browsers keep about 5 million for a host. */
const mostUnits = 2_200_000;

/**
 * What is kept of a text that isn't shared yet; never a password.
 * @typedef {object} Draft
 * @property {string} [id] of the share that is changed
 * @property {number} [version] of that share as it was then: views leave it as it is
 * @property {string} content
 * @property {Record<string, string>} fields
 * @property {boolean} isAway gone to sign in
 */

/** @param {string | undefined} id */
const getKey = (id) => (id === undefined ? keys.new : keys.edit);

/** @param {Draft} draft @returns {boolean} could it be kept? */
export const saveDraft = (draft) => {
  try {
    if (draft.content.length > mostUnits) throw new RangeError('Too long');
    localStorage.setItem(getKey(draft.id), JSON.stringify(draft));
    return true;
  } catch {
    // An older one would come back as if it were this.
    forget(draft.id);
    return false;
  }
};

/** @param {string | undefined} id */
export const forget = (id) => {
  try {
    // What lies there may be of another share.
    if (kept(id)) localStorage.removeItem(getKey(id));
  } catch {
    // A browser that keeps nothing.
  }
};

/** @param {string | undefined} id @returns {Draft | undefined} what was kept for a new share, or for this one */
export const kept = (id) => {
  try {
    const draft = JSON.parse(localStorage.getItem(getKey(id)) ?? 'null');
    const isDraft = typeof draft?.content === 'string' && typeof draft.fields === 'object';
    return isDraft && draft.id === id ? draft : undefined;
  } catch {
    return undefined;
  }
};
