import { loadStyles } from '../own/owners-bar.ts';
import { showMessage } from '../toast.ts';
import { keepAsking, type Outcome } from './asking.ts';
import { createFrameUpdate } from './frame-update.ts';
import { offer } from './offer.ts';
import { exchangePage, getContent, type NextPage, needsReload } from './page.ts';
import { liveTexts as texts } from './texts.ts';

/** How long an answer may take. ms. */
const timeoutMs = 10_000;

/** What is said once a share can’t be read again, by the status of the answer. */
const endings = new Map<number, { readonly text: string; readonly badge: string }>(
  [401, 403, 404].map((status) => [
    status,
    { text: texts.unavailable, badge: texts.unavailableBadge },
  ]),
).set(410, { text: texts.ended, badge: texts.endedBadge });

const request = (url: string): Promise<Response> =>
  fetch(url, { signal: AbortSignal.timeout(timeoutMs) });

const getVersion = ({ dataset }: HTMLElement): number =>
  Number.parseInt(dataset['state'] ?? '', 10);

/** Says that what is shown stays, but changes no more. */
const sayEnd = ({ text, badge }: { readonly text: string; readonly badge: string }): void => {
  showMessage(text);
  const mark = document.createElement('span');
  mark.className = 'badge warn';
  mark.textContent = badge;
  document.querySelector('.byline, .origin > span')?.append(' ', mark);
};

/** Notes beside the dates when the page has changed under its reader, and says so. */
const sayUpdate = (): void => {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(Date.now());
  showMessage(texts.updated(time));
  const note = document.createElement('span');
  note.dataset['updated'] = '';
  note.textContent = ` · ${texts.updated(time)}`;
  document.querySelector('[data-updated]')?.remove();
  const dates = document.querySelectorAll('.byline p time, .origin > span:first-child time');
  [...dates].at(-1)?.after(note);
};

const offerReload = (text: string): void => {
  offer(text, texts.reload, () => location.reload());
};

/** Whether the text has diagrams for which the page has no frames. */
const lacksFrames = (main: HTMLElement): boolean =>
  main.querySelector('.prose:not([data-diagrams]) code.language-mermaid') !== null;

/** Follows the edits of a share: asks for its state, and makes the page the current one (decisions.md#following-edits). */
export const followEdits = (main: HTMLElement): void => {
  const url = main.dataset['live'] ?? '';
  const pageUrl = `${url.replace(/\/live$/, '')}${location.search}`;
  const frame = document.querySelector<HTMLIFrameElement>('.stage > iframe');
  const framed = frame && createFrameUpdate(frame, Number(main.dataset['settles'] ?? 0));

  const update = async (): Promise<Outcome> => {
    const response = await request(pageUrl);
    if (!response.ok) return conclude(response);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector<HTMLElement>('[data-live]');
    // It takes a view by now.
    if (!next) return conclude({ status: 401 });
    // A cache between may still have a page from before.
    if (getVersion(next) < getVersion(main) || next.dataset['state'] === main.dataset['state']) {
      return 'soon';
    }
    const nextPage: NextPage = { document: page, main: next };
    if (needsReload(nextPage)) {
      offerReload(texts.changed);
      return 'over';
    }
    await loadStyles(page);
    const isOther = getContent(next) !== getContent(main);
    const isNoticed = exchangePage(main, nextPage);
    if (framed && isOther) framed.update(next.querySelector('iframe'), sayUpdate);
    else if (isNoticed) sayUpdate();
    if (lacksFrames(main)) offerReload(texts.diagrams);
    return 'answered';
  };
  const conclude = ({ status }: Pick<Response, 'status'>): Outcome => {
    const ending = endings.get(status);
    if (!ending) return 'failed';
    framed?.cancel();
    sayEnd(ending);
    return 'over';
  };
  const ask = async (): Promise<Outcome> => {
    try {
      const response = await request(url);
      if (!response.ok) return conclude(response);
      const state = await response.text();
      return state === main.dataset['state'] ? 'answered' : await update();
    } catch {
      return 'failed';
    }
  };
  const noteUse = keepAsking(ask);
  if (frame) {
    addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow && data?.used !== undefined) noteUse();
    });
  }
};
