import { formatTime } from '../../../../browser/format.js';
import { byId } from '../../../../browser/page.js';
import { composerTexts as texts } from '../../texts.ts';

const form = byId('composer');
const { passwordMode, password, viewLimit, expires, expiresAt } = form.elements;

/** Shows the fields of the selected options. */
export const showChosen = () => {
  byId('own-password').hidden = passwordMode.value !== 'own';
  byId('expiry-date').hidden = expires.value !== 'date';
};

/** @param {HTMLSelectElement} select @param {string} text */
const offerToKeep = (select, text) => {
  if (select.options[0]?.value !== 'keep') select.add(new Option(text, 'keep'), 0);
  select.value = 'keep';
};

/** @param {any} share that provides the initial options */
export const getShowOptions = (share) => {
  viewLimit.value = share.viewLimit ?? '';
  if (share.protected) offerToKeep(passwordMode, texts.keepPassword);
  if (share.expiresAt) offerToKeep(expires, texts.keepExpiry(formatTime(share.expiresAt)));
  showChosen();
};

/** @param {boolean} isEdit */
const getExpiry = (isEdit) => {
  const { value } = expires;
  if (value === 'keep') return {};
  if (value === 'never') return isEdit ? { expiresAt: null } : {};
  if (value !== 'date') return { expiresIn: Number(value) };
  const date = new Date(expiresAt.value);
  return { expiresAt: Number.isNaN(date.getTime()) ? expiresAt.value : date.toISOString() };
};

/** @param {boolean} isEdit */
const getPassword = (isEdit) => {
  const { value } = passwordMode;
  if (value === 'own') return { password: password.value };
  if (value === 'random') return { useRandomPassword: true };
  return value === 'none' && isEdit ? { password: null } : {};
};

const getViewLimit = () => {
  // An invalid number reads as empty, which must not remove the limit.
  if (viewLimit.validity.badInput) return 'no number';
  return viewLimit.value === '' ? null : Number(viewLimit.value);
};

/** @param {boolean} isEdit @returns the options as fields of the API */
export const chosenOptions = (isEdit) => ({
  viewLimit: getViewLimit(),
  ...getPassword(isEdit),
  ...getExpiry(isEdit),
});

/** Maps API fields to their controls, if the names differ. */
const controls = {
  useRandomPassword: 'passwordMode',
  expiresIn: 'expires',
  language: 'content',
};

/** @param {{ field: string, message: string }} detail */
export const atControl = ({ field, message }) => ({
  field: /** @type {Record<string, string>} */ (controls)[field] ?? field,
  message,
});

passwordMode.addEventListener('change', showChosen);
expires.addEventListener('change', showChosen);
