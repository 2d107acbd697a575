import { getMessage, requestOrSignIn } from '../../../browser/api.js';
import { formatDay, formatTime } from '../../../browser/format.js';
import { byId, createElement, runAction, setText } from '../../../browser/page.js';
import { languageTexts, shareListTexts } from '../../../browser/texts.ts';
import { matchesQuery } from '../search.ts';
import { sharesTexts as texts } from '../texts.ts';

/** The maximum page size of the API. */
const pageSize = 100;
/** The number of newest shares that a search covers: the API can't search shares. */
const maxSearched = 1_000;

/** @type {any[]} */
let loaded = [];
/** @type {string | null} */
let nextCursor = null;

/** @param {any} share @returns {string} */
const getName = ({ title, language }) =>
  title ?? shareListTexts.untitled(languageTexts[/** @type {'html' | 'markdown'} */ (language)]);

/** @param {any} share */
const describeShare = ({ language, createdAt, views, viewLimit, viewsLeft, expiresAt }) =>
  [
    languageTexts[/** @type {'html' | 'markdown'} */ (language)],
    texts.made(formatDay(createdAt)),
    viewLimit === null ? texts.views(views) : texts.viewsLeft(viewsLeft, viewLimit),
    ...(expiresAt === null ? [] : [texts.until(formatTime(expiresAt))]),
  ].join(' · ');

/** @param {string} label @param {string} name @param {() => void} run */
const createButton = (label, name, run) => {
  const button = /** @type {HTMLButtonElement} */ (createElement('button', 'quiet', label));
  button.type = 'button';
  button.setAttribute('aria-label', `${label}: ${name}`);
  button.addEventListener('click', run);
  return button;
};

/** @param {any} share */
const copyLink = (share) =>
  runAction('shares', async () => {
    await navigator.clipboard.writeText(share.url).catch(() => {
      throw new Error(texts.copyFailed);
    });
    return texts.linkCopied(getName(share));
  });

/** @param {string} title @param {string} text @param {string} yes @returns {Promise<boolean>} */
const confirmAction = (title, text, yes) => {
  const dialog = byId('confirm');
  setText('confirm-title', title);
  setText('confirm-text', text);
  setText('confirm-yes', yes);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), {
      once: true,
    });
  });
};

/** @param {any} share */
const remove = async (share) => {
  const name = getName(share);
  if (!(await confirmAction(texts.confirmTitle, texts.confirmText(name), texts.delete))) return;
  await runAction('shares', async () => {
    await requestOrSignIn('DELETE', `/api/share/${share.id}`).catch((failure) => {
      // It is already deleted.
      if (failure.status !== 404) throw failure;
    });
    loaded = loaded.filter(({ id }) => id !== share.id);
    show();
    // The button that had the focus is gone.
    byId('shares-title').focus();
    return texts.deleted(name);
  });
};

/** @param {any} share */
const end = async (share) => {
  const name = getName(share);
  if (!(await confirmAction(texts.endTitle, texts.endText(name), texts.endShare))) return;
  await runAction('shares', async () => {
    const ended = await requestOrSignIn('POST', `/api/share/${share.id}/end`);
    loaded = loaded.map((one) => (one.id === share.id ? ended : one));
    show();
    // The button that had the focus is gone.
    byId('shares-title').focus();
    return texts.endDone(name);
  });
};

/** @param {any} share */
const createListItem = (share) => {
  const { status, url, id } = share;
  const name = getName(share);
  const item = document.createElement('li');
  const text = document.createElement('div');
  const title = createElement('p', 'name');
  const link = /** @type {HTMLAnchorElement} */ (createElement('a', '', name));
  link.href = url;
  title.append(link);
  if (share.protected) title.append(createElement('span', 'badge', texts.protected));
  const state =
    shareListTexts.statuses[/** @type {keyof typeof shareListTexts.statuses} */ (status)];
  if (state) title.append(createElement('span', 'badge', state));
  text.append(title, createElement('p', 'about', describeShare(share)));
  const actions = createElement('div', 'actions');
  if (status === 'active') {
    const edit = /** @type {HTMLAnchorElement} */ (createElement('a', 'button quiet', texts.edit));
    edit.href = `/?edit=${id}`;
    edit.setAttribute('aria-label', `${texts.edit}: ${name}`);
    actions.append(
      createButton(texts.copyLink, name, () => copyLink(share)),
      edit,
      createButton(texts.end, name, () => end(share)),
    );
  }
  actions.append(createButton(texts.delete, name, () => remove(share)));
  item.append(text, actions);
  return item;
};

const show = () => {
  const query = byId('search').value;
  const isSearch = query.trim() !== '';
  const shown = isSearch ? loaded.filter((share) => matchesQuery(share, query)) : loaded;
  byId('shares').replaceChildren(...shown.map(createListItem));
  byId('none').hidden = loaded.length > 0 || nextCursor !== null;
  byId('search-field').hidden = loaded.length === 0;
  byId('more').hidden = isSearch || nextCursor === null;
  const notes = [
    ...(isSearch && shown.length === 0 ? [texts.noMatch] : []),
    ...(isSearch && nextCursor !== null ? [texts.searchedNewest(loaded.length)] : []),
  ];
  setText('found', notes.join(' '));
};

const loadNext = async () => {
  const cursor = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`;
  const page = await requestOrSignIn('GET', `/api/share?mine=true&pageSize=${pageSize}${cursor}`);
  loaded.push(...page.items);
  nextCursor = page.nextCursor;
};

/** @type {Promise<void> | undefined} */
let loading;

/** Loads the next page. Concurrent calls load it once. */
const loadMore = () => {
  loading ??= loadNext().finally(() => {
    loading = undefined;
  });
  return loading;
};

let isLoadingAll = false;
const loadAll = async () => {
  while (nextCursor !== null && loaded.length < maxSearched) {
    await loadMore();
    show();
  }
};

byId('search').addEventListener('input', async () => {
  show();
  if (isLoadingAll) return;
  isLoadingAll = true;
  try {
    await loadAll();
  } catch (failure) {
    setText('shares-wrong', getMessage(failure));
  } finally {
    isLoadingAll = false;
  }
});

byId('more').addEventListener('click', () =>
  runAction('shares', async () => {
    const before = loaded.length;
    await loadMore();
    show();
    /** @type {HTMLElement | null} */ (
      byId('shares').children[before]?.querySelector('a')
    )?.focus();
    return '';
  }),
);

const start = async () => {
  try {
    await loadMore();
    show();
    byId('content').hidden = false;
  } catch (failure) {
    setText('failure', getMessage(failure));
  } finally {
    setText('loading', '');
  }
};

start();
