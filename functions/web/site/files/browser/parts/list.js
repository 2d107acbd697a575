import { requestOrSignIn } from '../../../../browser/api.js';
import { byId, createElement, setText } from '../../../../browser/page.js';
import { siteTexts } from '../../../../layout/texts.ts';
import { filesTexts as texts } from '../../texts.ts';
import { hasSort, listFolders, parseView, toQuery, toUrl } from '../../view.ts';
import { listItem } from './item.js';
import { pathItems } from './path.js';

/** @typedef {import('../../view.ts').View} View */

const pageSize = 50;

/** The maximum number of pages to reload after a change. */
const maxPages = 10;

/** @type {View} */
let view = parseView('');
/** @type {any[]} */
let items = [];
/** @type {string | null} */
let nextCursor = null;
let count = { total: 0, totalIsExact: true };
let pages = 1;
/** The number of the latest request of the list; older responses are ignored. */
let latest = 0;
/** @type {any} */
let rights;
/** @type {any} */
let acts;
let mayCreate = false;

/** @param {any} given @param {boolean} mayUpload @param {any} does */
export const setUp = (given, mayUpload, does) => {
  rights = given;
  mayCreate = mayUpload;
  acts = does;
};

export const currentView = () => view;

/** Returns the path of the current folder, or an empty string. */
export const currentFolder = () => (isOfFolder() ? view.folder : '');

const isSearch = () => view.search.trim() !== '';
const isOfFolder = () => view.show === 'folders' && !isSearch();

/** @param {string} folder @returns {View} */
export const viewOfFolder = (folder) => ({ ...view, show: 'folders', folder, search: '' });

const noneText = () => {
  if (isSearch()) return texts.noneFound;
  if (view.show === 'favorites') return texts.noFavorites;
  if (view.show === 'folders' && view.folder !== '') return texts.emptyFolder;
  if (view.show === 'folders' || view.show === 'all') {
    return mayCreate ? texts.noFiles : texts.noneShared;
  }
  return texts.noneOfType;
};

/** @param {string} path @param {string} name */
const folderLink = (path, name) => {
  const link = /** @type {HTMLAnchorElement} */ (createElement('a', '', name));
  link.href = toUrl(viewOfFolder(path));
  link.addEventListener('click', (event) => acts.open(event, path));
  return link;
};

const showControls = () => {
  const search = byId('search');
  // Keeps the search field while the user types.
  if (document.activeElement !== search) search.value = view.search;
  byId('show').value = view.show;
  byId('show-field').hidden = isSearch();
  byId('sort').value = view.sort;
  byId('sort-field').hidden = !hasSort(view);
  byId('path-field').hidden = !isOfFolder() || view.folder === '';
  byId('path').replaceChildren(...pathItems(view.folder, folderLink));
  const here = listFolders(view.folder).at(-1)?.name;
  document.title = `${here ?? texts.title} · ${siteTexts.brand}`;
};

/** @param {string | number | undefined} id @returns {any} */
const getLine = (id) => byId('files').querySelector(`[data-id="${id}"]`);

/** Returns the focused control of a line, to restore the focus after a reload. */
const focused = () => {
  const line = /** @type {HTMLElement | null} */ (document.activeElement?.closest('#files > li'));
  const label = document.activeElement?.getAttribute('aria-label');
  return line && { id: line.dataset.id, label };
};

/** @param {{ id: string | undefined, label: string | null | undefined } | null} at */
const focusAgain = (at) => {
  if (!at) return;
  const line = getLine(at.id);
  if (!line) return byId('files-title').focus();
  const controls = [...line.querySelectorAll('[aria-label]')];
  const same = controls.find((one) => one.getAttribute('aria-label') === at.label);
  (same ?? line.querySelector('a'))?.focus();
};

const showItems = () => {
  const at = focused();
  const opened = /** @type {HTMLElement | null | undefined} */ (
    document.querySelector('#files details[open]')?.closest('li')
  );
  const shown = items.map((file) => listItem(file, rights, isOfFolder(), acts));
  byId('files').replaceChildren(...shown);
  if (opened) getLine(opened.dataset.id)?.querySelector('details')?.setAttribute('open', '');
  focusAgain(at);
  const isEmpty = items.length === 0;
  byId('none').hidden = !isEmpty;
  setText('none-text', isEmpty ? noneText() : '');
  const isStart = isEmpty && mayCreate && isOfFolder();
  setText('none-about', isStart ? texts.noFilesAbout : '');
  setText('found', isEmpty ? '' : texts.items(count.total, count.totalIsExact));
  byId('more').hidden = nextCursor === null;
};

/** @param {string | null} cursor */
const readPage = async (cursor) => {
  const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return (await requestOrSignIn('GET', `/api/files?${toQuery(view)}&pageSize=${pageSize}${after}`))
    .data;
};

/** Reloads the pages that are shown. */
export const refresh = async () => {
  latest += 1;
  const mine = latest;
  const found = [];
  let page = await readPage(null);
  found.push(...page.items);
  for (let read = 1; read < Math.min(pages, maxPages) && page.nextCursor !== null; read += 1) {
    page = await readPage(page.nextCursor);
    found.push(...page.items);
  }
  if (mine !== latest) return;
  items = found;
  nextCursor = page.nextCursor;
  count = page;
  showItems();
};

/** @param {View} wanted */
export const show = async (wanted) => {
  view = wanted;
  pages = 1;
  setText('files-done', '');
  setText('files-wrong', '');
  showControls();
  try {
    await refresh();
  } catch (failure) {
    items = [];
    nextCursor = null;
    showItems();
    byId('none').hidden = true;
    const isGone = isOfFolder() && /** @type {any} */ (failure).status === 400;
    throw isGone
      ? Object.assign(/** @type {any} */ (failure), { message: texts.folderGone })
      : failure;
  }
};

/**
 * The cursor of the page being loaded. @type {string
 * null}
 */
let awaited = null;

/** Loads the next page once and focuses its first line. */
export const showMore = async () => {
  if (awaited === nextCursor) return;
  awaited = nextCursor;
  const before = items.length;
  const mine = latest;
  const page = await readPage(nextCursor).finally(() => {
    awaited = null;
  });
  if (mine !== latest) return;
  pages += 1;
  items.push(...page.items);
  nextCursor = page.nextCursor;
  showItems();
  byId('files').children[before]?.querySelector('a')?.focus();
};

/** Focuses a line, or the heading if the line is gone. @param {number} id */
export const focusLine = (id) => {
  (getLine(id)?.querySelector('a, summary') ?? byId('files-title')).focus();
};
