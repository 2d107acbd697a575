import { can } from '../../../../../shared/permissions/permissions.ts';
import { formatBytes } from '../../../../../shared/text/format-bytes.ts';
import { ApiError, getMessage, requestOrSignIn } from '../../../browser/api.js';
import { byId, runAction, setText } from '../../../browser/page.js';
import { filesTexts as texts } from '../texts.ts';
import { parseView, toUrl } from '../view.ts';
import { askName, confirmed, save } from './parts/dialogs.js';
import { isForBrowser, isLedToDownload } from './parts/download.js';
import * as list from './parts/list.js';
import { askFolder } from './parts/move-dialog.js';
import { clearUploads, isUploading, uploadAll, whenUploaded } from './parts/uploads.js';

let mayUpload = false;

const loadUsage = async () => {
  const { used, quota } = (await requestOrSignIn('GET', '/api/files/usage')).data;
  const meter = byId('storage');
  meter.max = quota;
  meter.high = 0.9 * quota;
  meter.value = used;
  setText('used', texts.used(formatBytes(used), formatBytes(quota)));
  byId('storage-field').hidden = false;
};

/** Reloads the list and the storage usage. */
const refresh = () => Promise.all([list.refresh(), loadUsage()]);

/**
 * Shows a view and updates the URL.
 * @param {import('../view.ts').View} view
 * @param {'pushState'
 * 'replaceState'} [remember]
 */
const goTo = async (view, remember = 'pushState') => {
  history[remember](null, '', toUrl(view));
  try {
    await list.show(view);
  } catch (failure) {
    setText('files-wrong', getMessage(failure));
  }
};

/** @param {MouseEvent} event @param {string} folder */
const open = async (event, folder) => {
  if (isForBrowser(event)) return;
  event.preventDefault();
  await goTo(list.viewOfFolder(folder));
  byId('files-title').focus();
};

/** @param {any} file */
const mark = (file) =>
  runAction('files', async () => {
    await save(file, { isFavorite: !file.isFavorite });
    await list.refresh();
    return file.isFavorite ? texts.unmarked(file.name) : texts.marked(file.name);
  });

/** @param {any} file */
const rename = (file) =>
  askName(
    { title: texts.renameTitle(file.name), save: texts.save, name: file.name },
    async (name) => {
      await save(file, { name });
      await list.refresh();
      setText('files-wrong', '');
      setText('files-done', texts.renamed(name));
      // The open dialog restores the focus when it closes.
      byId('naming').addEventListener('close', () => list.focusLine(file.id), { once: true });
    },
  );

/** @param {any} file */
const move = (file) =>
  askFolder(file, async (folder) => {
    await save(file, { folder });
    await list.refresh();
    setText('files-wrong', '');
    setText('files-done', texts.moved(file.name, folder || texts.title));
    byId('moving').addEventListener('close', () => list.focusLine(file.id), { once: true });
  });

/** @param {any} file */
const remove = async (file) => {
  if (!(await confirmed(file.name))) return;
  await runAction('files', async () => {
    await requestOrSignIn('DELETE', `/api/files/${file.id}`).catch((failure) => {
      // It is already deleted.
      if (failure.status !== 404) throw failure;
    });
    await refresh();
    byId('files-title').focus();
    return texts.deleted(file.name);
  });
};

const makeFolder = () =>
  askName({ title: texts.newFolder, save: texts.create, name: '' }, async (name) => {
    const folder = list.currentFolder();
    await requestOrSignIn('POST', '/api/files/folders', { name, folder });
    await list.refresh();
    setText('files-wrong', '');
    setText('files-done', texts.madeFolder(name));
  });

/** Reloads the list once for all files that arrive during a reload. */
let isRefreshing = false;
let isStale = false;
const refreshSoon = async () => {
  isStale = true;
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    while (isStale) {
      isStale = false;
      await refresh();
    }
  } catch (failure) {
    setText('files-wrong', getMessage(failure));
  } finally {
    isRefreshing = false;
  }
};

/** @param {DataTransfer} data */
const dropped = ({ items }) => {
  const entries = [...items].filter(({ kind }) => kind === 'file');
  const isFolder = (/** @type {any} */ item) => item.webkitGetAsEntry?.()?.isDirectory === true;
  const files = entries.filter((item) => !isFolder(item)).map((item) => item.getAsFile());
  return {
    files: files.filter((file) => file !== null),
    hasFolder: entries.some(isFolder),
  };
};

const takeDrops = () => {
  const place = byId('drop-place');
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    place.textContent = texts.dropHere(list.currentFolder() || texts.title);
    place.hidden = false;
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) place.hidden = true;
  });
  document.addEventListener('drop', (event) => {
    place.hidden = true;
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const { files, hasFolder } = dropped(event.dataTransfer);
    if (files.length > 0) uploadAll(files, list.currentFolder());
    setText('uploads-wrong', hasFolder ? texts.noFoldersUp : '');
  });
};

const takeUploads = () => {
  byId('tools').hidden = false;
  byId('choose').addEventListener('change', (/** @type {any} */ { target }) => {
    uploadAll([...target.files], list.currentFolder());
    // Allows choosing the same file again.
    target.value = '';
  });
  byId('new-folder').addEventListener('click', makeFolder);
  byId('clear').addEventListener('click', () => {
    clearUploads();
    byId('files-title').focus();
  });
  takeDrops();
  whenUploaded(refreshSoon);
  addEventListener('beforeunload', (event) => {
    const isLeft = !isLedToDownload();
    if (isLeft && isUploading()) event.preventDefault();
  });
};

const takeFilters = () => {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const search = (/** @type {'pushState' | 'replaceState'} */ remember) => {
    clearTimeout(timer);
    const text = byId('search').value;
    if (text !== list.currentView().search) goTo({ ...list.currentView(), search: text }, remember);
  };
  byId('search').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => search('replaceState'), 250);
  });
  byId('filter').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    search('replaceState');
  });
  byId('show').addEventListener('change', (/** @type {any} */ { target }) =>
    goTo({ ...list.currentView(), show: target.value, folder: '' }),
  );
  byId('sort').addEventListener('change', (/** @type {any} */ { target }) =>
    goTo({ ...list.currentView(), sort: target.value }),
  );
  byId('more').addEventListener('click', () =>
    runAction('files', async () => {
      await list.showMore();
      return '';
    }),
  );
  addEventListener('popstate', () => goTo(parseView(location.search), 'replaceState'));
  document.addEventListener('click', ({ target }) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (!menu.contains(/** @type {Node} */ (target))) menu.removeAttribute('open');
    }
  });
};

const start = async () => {
  try {
    const { id, permissions } = (await requestOrSignIn('GET', '/api/auth/me')).data;
    mayUpload = can(permissions, 'files:create');
    const rights = {
      userId: id,
      mayManage: can(permissions, 'files:manage'),
      mayUpdate: can(permissions, 'files:update'),
      mayDelete: can(permissions, 'files:delete'),
    };
    list.setUp(rights, mayUpload, {
      open,
      addressOfFolder: (/** @type {string} */ folder) => toUrl(list.viewOfFolder(folder)),
      mark,
      rename,
      move,
      remove,
    });
    const asked = parseView(location.search);
    const isPlain = asked.show === 'folders' && asked.folder === '';
    // Users without upload permission have no folders.
    await Promise.all([
      loadUsage(),
      list.show(!mayUpload && isPlain ? { ...asked, show: 'all' } : asked).catch((failure) => {
        if (!(failure instanceof ApiError) || failure.status !== 400) throw failure;
        setText('files-wrong', getMessage(failure));
      }),
    ]);
    takeFilters();
    if (mayUpload) takeUploads();
    else byId('may-not-upload').hidden = false;
    byId('content').hidden = false;
  } catch (failure) {
    setText('failure', getMessage(failure));
  } finally {
    setText('loading', '');
  }
};

start();
