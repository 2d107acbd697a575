import { requestOrSignIn } from '../../../../browser/api.js';
import { clearFailures, onSubmit } from '../../../../browser/forms.js';
import { byId, setText } from '../../../../browser/page.js';
import { filesTexts as texts } from '../../texts.ts';

/** @type {(name: string) => Promise<void>} */
let onNamed = async () => {};

/**
 * Asks for a name until `act` succeeds or the dialog is closed.
 * @param {{ title: string, save: string, name: string }} shown
 * @param {(name: string) => Promise<void>} act
 */
export const askName = ({ title, save, name }, act) => {
  const input = byId('naming-name');
  onNamed = act;
  clearFailures(byId('naming-form'));
  setText('naming-title', title);
  setText('naming-save', save);
  input.value = name;
  byId('naming').showModal();
  input.focus();
  // Selects the name without its extension.
  const end = name.lastIndexOf('.');
  input.setSelectionRange(0, end > 0 ? end : name.length);
};

onSubmit(byId('naming-form'), async ({ name }) => {
  await onNamed(name.trim());
  byId('naming').close();
  return '';
});

/** @param {string} name @returns {Promise<boolean>} */
export const confirmed = (name) => {
  const dialog = byId('confirm');
  setText('confirm-text', texts.deleteText(name));
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'delete'), {
      once: true,
    });
  });
};

for (const button of document.querySelectorAll('[data-closes]')) {
  const { closes = '' } = /** @type {HTMLElement} */ (button).dataset;
  button.addEventListener('click', () => byId(closes).close());
}

/** @param {any} file @param {object} change @returns {Promise<any>} the updated file */
export const save = async ({ id }, change) =>
  (await requestOrSignIn('PUT', `/api/files/${id}`, change)).data;
