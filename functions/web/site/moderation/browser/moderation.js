import { getMessage, requestOrSignIn } from '../../../browser/api.js';
import { formatTime } from '../../../browser/format.js';
import { showInFrame } from '../../../browser/frame.js';
import { byId, createElement, runAction, setText } from '../../../browser/page.js';
import { languageTexts, shareListTexts } from '../../../browser/texts.ts';
import { moderationTexts as texts } from '../texts.ts';

const pageSize = 50;

/** @type {string | null} */
let nextCursor = null;
/** The share under review, as shown. @type {any} */
let shown;

const shownId = () => new URLSearchParams(location.search).get('id');

/** @param {any} share @returns {string} */
const getName = ({ title, language }) =>
  title ?? shareListTexts.untitled(languageTexts[/** @type {'html' | 'markdown'} */ (language)]);

/** @param {any} share */
const describeShare = ({ language, reports, reportedAt, status, ownerId }) =>
  [
    languageTexts[/** @type {'html' | 'markdown'} */ (language)],
    texts.owner(ownerId),
    texts.count(reports),
    ...(reportedAt === null ? [] : [texts.since(formatTime(reportedAt))]),
    ...(status === 'active'
      ? []
      : [shareListTexts.statuses[/** @type {keyof typeof shareListTexts.statuses} */ (status)]]),
  ].join(' · ');

/** @param {any} share */
const createListItem = (share) => {
  const item = document.createElement('li');
  const text = document.createElement('div');
  const title = createElement('p', 'name');
  title.dir = 'auto';
  const link = /** @type {HTMLAnchorElement} */ (createElement('a', '', getName(share)));
  link.href = `/moderation?id=${encodeURIComponent(share.id)}`;
  title.append(link);
  text.append(title, createElement('p', 'about', describeShare(share)));
  item.append(text);
  return item;
};

const loadNext = async () => {
  const cursor = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`;
  const { data } = await requestOrSignIn(
    'GET',
    `/api/shares?reported=true&pageSize=${pageSize}${cursor}`,
  );
  byId('shares').append(...data.items.map(createListItem));
  nextCursor = data.nextCursor;
  byId('more').hidden = nextCursor === null;
  byId('none').hidden = byId('shares').childElementCount > 0;
  byId('list').hidden = false;
};

/** @param {any} report */
const createReportItem = ({ reason, createdAt, userId }) => {
  const item = document.createElement('li');
  const text = document.createElement('div');
  const words = createElement('p', 'reason', reason);
  words.dir = 'auto';
  const by = userId === null ? texts.byVisitor : texts.byUser(userId);
  text.append(words, createElement('p', 'about', `${formatTime(createdAt)} · ${by}`));
  item.append(text);
  return item;
};

const review = async () => {
  const { data } = await requestOrSignIn(
    'GET',
    `/api/shares/${encodeURIComponent(shownId() ?? '')}`,
  );
  shown = data;
  setText('review-title', getName(data));
  setText('review-about', describeShare(data));
  setText('review-description', data.description ?? '');
  byId('reports').replaceChildren(...data.reportList.map(createReportItem));
  byId('no-reports').hidden = data.reportList.length > 0;
  const isGone = data.content === null;
  byId('no-content').hidden = !isGone;
  byId('preview').hidden = isGone;
  if (!isGone) showInFrame(byId('preview'), texts.frame, data.html ?? data.content);
  byId('take-down').disabled = data.status === 'taken-down';
  byId('review').hidden = false;
};

/** @param {'take-down' | 'keep'} decision @param {(name: string) => string} told */
const decide = (decision, told) =>
  runAction('moderation', async () => {
    const path = `/api/shares/${encodeURIComponent(shown.id)}/decision`;
    // What was reported since is not settled unseen.
    const headers = { 'if-match': `"${shown.version}"` };
    try {
      await requestOrSignIn('PUT', path, { decision }, headers);
    } catch (failure) {
      if (/** @type {any} */ (failure).status !== 412) throw failure;
      await review();
      throw Object.assign(/** @type {Error} */ (failure), { message: texts.changed });
    }
    const name = getName(shown);
    byId('review').hidden = true;
    history.replaceState(null, '', '/moderation');
    nextCursor = null;
    byId('shares').replaceChildren();
    await loadNext();
    // The button that had the focus is gone.
    byId('moderation-title').focus();
    return told(name);
  });

byId('take-down').addEventListener('click', () => decide('take-down', texts.takenDown));
byId('keep').addEventListener('click', () => decide('keep', texts.kept));
byId('more').addEventListener('click', () =>
  runAction('moderation', async () => {
    const before = byId('shares').childElementCount;
    await loadNext();
    byId('shares').children[before]?.querySelector('a')?.focus();
    return '';
  }),
);

const start = async () => {
  try {
    await (shownId() === null ? loadNext() : review());
  } catch (failure) {
    setText('failure', getMessage(failure));
  } finally {
    setText('loading', '');
  }
};

start();
