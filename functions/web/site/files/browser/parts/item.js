import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { formatDay } from '../../../../browser/format.js';
import { createElement } from '../../../../browser/page.js';
import { filesTexts as texts } from '../../texts.ts';
import { download } from './download.js';

/** @typedef {{ userId: number, mayManage: boolean, mayUpdate: boolean, mayDelete: boolean }} Rights */
/** @typedef {{ open: (event: MouseEvent, folder: string) => void, addressOfFolder: (folder: string) => string, mark: (file: any) => void, rename: (file: any) => void, move: (file: any) => void, remove: (file: any) => void }} Acts */

const svg = 'http://www.w3.org/2000/svg';
const media = ['image', 'video', 'audio'];

/** @param {any} file @returns {string} its path; for a folder, its own path */
export const getPath = ({ folder, name }) => (folder ? `${folder}/${name}` : name);

/** Creates an icon from the page's symbols. @param {string} type */
const getIcon = (type) => {
  const icon = document.createElementNS(svg, 'svg');
  icon.setAttribute('class', `icon ${type}`);
  icon.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(svg, 'use');
  use.setAttribute('href', `#icon-${type}`);
  icon.append(use);
  return icon;
};

/** @param {string} label @param {string} name @param {() => void} run */
const button = (label, name, run) => {
  const made = /** @type {HTMLButtonElement} */ (createElement('button', 'quiet', label));
  made.type = 'button';
  made.setAttribute('aria-label', `${label}: ${name}`);
  made.addEventListener('click', run);
  return made;
};

/** @param {any} file @param {boolean} isOwn @param {Acts} acts */
const getTitle = (file, isOwn, acts) => {
  const { id, name, type } = file;
  if (type === 'folder' && !isOwn) return createElement('span', '', name);
  const link = /** @type {HTMLAnchorElement} */ (createElement('a', '', name));
  const path = `/api/files/${id}/download`;
  if (type === 'folder') {
    link.href = acts.addressOfFolder(getPath(file));
    link.addEventListener('click', (event) => acts.open(event, getPath(file)));
  } else if (media.includes(type)) {
    link.href = `${path}?inline=true`;
    link.target = '_blank';
    link.rel = 'noopener';
  } else {
    link.href = path;
    link.addEventListener('click', (event) => download(event, path));
  }
  return link;
};

/** @param {any} file @param {boolean} isOwn @param {boolean} isInFolder whether the list shows its folder */
const aboutText = ({ type, size, createdAt, owner, folder }, isOwn, isInFolder) =>
  [
    type === 'folder' ? texts.folder : formatBytes(size),
    formatDay(createdAt),
    ...(!isOwn && owner ? [texts.by(owner)] : []),
    ...(folder && !isInFolder ? [texts.inFolder(folder)] : []),
  ].join(' · ');

/** @param {any} file @param {Acts} acts */
const star = (file, acts) => {
  const made = button(texts.favorite, file.name, () => acts.mark(file));
  made.classList.add('star');
  made.textContent = file.isFavorite ? '★' : '☆';
  made.setAttribute('aria-pressed', String(file.isFavorite));
  return made;
};

/** @param {any} file */
const downloadLink = ({ id, name }) => {
  const link = /** @type {HTMLAnchorElement} */ (
    createElement('a', 'button quiet', texts.download)
  );
  link.href = `/api/files/${id}/download`;
  link.setAttribute('aria-label', `${texts.download}: ${name}`);
  link.addEventListener('click', (event) => download(event, link.href));
  return link;
};

/** @param {string} name @param {HTMLElement[]} choices */
const menu = (name, choices) => {
  const made = createElement('details', 'menu');
  const summary = createElement('summary', 'button quiet', '⋯');
  summary.setAttribute('aria-label', `${texts.moreActions}: ${name}`);
  const list = createElement('div', 'choices');
  list.append(...choices);
  made.append(summary, list);
  const close = () => made.removeAttribute('open');
  // Closes the menu first: a dialog returns the focus to the element that had it before.
  list.addEventListener(
    'click',
    () => {
      summary.focus();
      close();
    },
    { capture: true },
  );
  made.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    close();
    summary.focus();
  });
  made.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !made.contains(/** @type {Node} */ (relatedTarget))) close();
  });
  return made;
};

/**
 * Creates a list item with the details and actions of a file.
 * @param {any} file @param {Rights} rights @param {boolean} isInFolder @param {Acts} acts
 */
export const listItem = (file, rights, isInFolder, acts) => {
  const { id, name, type, visibility, sharedWith } = file;
  const isOwn = file.owner_id === rights.userId;
  const mayChange = isOwn || rights.mayManage;
  const item = document.createElement('li');
  item.dataset.id = id;
  const text = document.createElement('div');
  const title = createElement('p', 'name');
  title.append(getTitle(file, isOwn, acts));
  if (visibility === 'everyone') title.append(createElement('span', 'badge', texts.everyone));
  else if (isOwn && sharedWith.length > 0)
    title.append(createElement('span', 'badge', texts.shared));
  text.append(title, createElement('p', 'about', aboutText(file, isOwn, isInFolder)));
  const actions = createElement('div', 'actions');
  if (isOwn && rights.mayUpdate) actions.append(star(file, acts));
  if (type !== 'folder') actions.append(downloadLink(file));
  const choices = [
    ...(mayChange && rights.mayUpdate ? [button(texts.rename, name, () => acts.rename(file))] : []),
    // Only owners can move files: the folders of other users are unknown.
    ...(isOwn && rights.mayUpdate ? [button(texts.move, name, () => acts.move(file))] : []),
    ...(mayChange && rights.mayDelete ? [button(texts.delete, name, () => acts.remove(file))] : []),
  ];
  if (choices.length > 0) actions.append(menu(name, choices));
  item.append(getIcon(type), text, actions);
  return item;
};
