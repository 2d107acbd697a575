import { getMessage, requestOrSignIn } from '../../../../browser/api.js';
import { byId, createElement, setText } from '../../../../browser/page.js';
import { filesTexts as texts } from '../../texts.ts';
import { toQuery } from '../../view.ts';
import { getPath } from './item.js';
import { pathItems } from './path.js';

/** The maximum number of pages of 100 folders, which covers the folder limit. */
const mostPages = 6;

/** @type {any} */
let moved;
let target = '';
/** @type {(folder: string) => Promise<void>} */
let onChosen = async () => {};

/** Returns the subfolders of a folder. Sorted by name, folders precede files. @param {string} folder */
const foldersIn = async (folder) => {
  const query = toQuery({ show: 'folders', folder, search: '', sort: 'name' });
  const found = [];
  let cursor = '';
  for (let page = 0; page < mostPages; page += 1) {
    const { data } = await requestOrSignIn('GET', `/api/files?${query}&pageSize=100${cursor}`);
    const folders = data.items.filter((/** @type {any} */ { type }) => type === 'folder');
    found.push(...folders);
    if (data.nextCursor === null || folders.length < data.items.length) break;
    cursor = `&cursor=${encodeURIComponent(data.nextCursor)}`;
  }
  return found;
};

/** @param {string} path @param {string} name */
const step = (path, name) => {
  const button = /** @type {HTMLButtonElement} */ (createElement('button', 'quiet', name));
  button.type = 'button';
  button.addEventListener('click', () => show(path));
  return button;
};

/** @param {string} folder */
const show = async (folder) => {
  target = folder;
  setText('moving-wrong', '');
  setText('moving-none', '');
  byId('moving-path').replaceChildren(...pathItems(folder, step));
  byId('moving-folders').replaceChildren();
  byId('move-here').disabled = folder === (moved.folder ?? '');
  try {
    const found = await foldersIn(folder);
    if (folder !== target) return;
    const items = found
      .filter(({ id }) => id !== moved.id)
      .map((one) => {
        const item = document.createElement('li');
        item.append(step(getPath(one), one.name));
        return item;
      });
    byId('moving-folders').replaceChildren(...items);
    if (items.length === 0) setText('moving-none', texts.noFoldersHere);
    const first = byId('moving-folders').querySelector('button');
    const here = byId('move-here');
    (first ?? (here.disabled ? byId('moving-path').querySelector('button') : here))?.focus();
  } catch (failure) {
    setText('moving-wrong', getMessage(failure));
  }
};

/**
 * Asks for a target folder until `act` succeeds or the dialog is closed.
 * @param {any} file
 * @param {(folder: string) => Promise<void>} act
 */
export const askFolder = (file, act) => {
  moved = file;
  onChosen = act;
  setText('moving-title', texts.moveTitle(file.name));
  byId('moving').showModal();
  show(file.folder ?? '');
};

byId('move-here').addEventListener('click', async () => {
  try {
    await onChosen(target);
    byId('moving').close();
  } catch (failure) {
    setText('moving-wrong', getMessage(failure));
  }
});
