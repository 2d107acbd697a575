import { byId, copy, setText } from '../../../../browser/page.js';
import { composerTexts as texts } from '../../texts.ts';

/**
 * Replaces the form with the link and a generated password, which is shown only once.
 * @param {{ id: string, url: string, password?: string }} share
 * @param {boolean} isEdit
 */
export const showResult = ({ id, url, password }, isEdit) => {
  setText('result-title', isEdit ? texts.saved : texts.shared);
  byId('result-link').value = url;
  byId('open').href = url;
  byId('edit').href = `/?edit=${id}`;
  byId('result-secret').hidden = password === undefined;
  byId('result-password').value = password ?? '';
  byId('composer').hidden = true;
  byId('result').hidden = false;
  byId('result-title').focus();
};

byId('copy-link').addEventListener('click', () => copy(byId('result-link'), 'link-copied'));
byId('copy-password').addEventListener('click', () =>
  copy(byId('result-password'), 'password-copied'),
);
