/** The origin of the page that frames the snippet. Filled in when a snippet is served. */
declare const pageOrigin: string;

/** What the page can tell the reader. */
export type Note = 'form' | 'storage' | 'unavailable' | 'link';

const maxBlocked = 30;
/** In UTF-16 code units. */
const maxLength = 200;
/** A wider snippet would be too small on paper. In CSS pixels. */
const maxPrintWidth = 1_024;
/** How long nothing has changed when the height is told, in ms. */
const quietMs = 300;

const blocked: string[][] = [];
const notes: Partial<Record<Note, string>> = {};

const cut = (text: string): string => text.slice(0, maxLength);

/** A file that the snippet offers to the reader. */
interface Offer {
  readonly file: Blob;
  readonly name: string | null;
}

let isHeard = false;
/** The first offer that the page can't have heard yet. It keeps one as well. */
let early: Offer | undefined;

/** Sends something to the page, and to no other site that frames this document. */
export const post = (message: object): void => parent.postMessage(message, pageOrigin);

/** Tells all there is to tell, because the page may have started to listen later. It trusts none of it. */
const report = (): void => post({ blocked, notes, place: [scrollX, scrollY, location.pathname] });

/** Offers a file to the page, as soon as it listens. */
export const offer = (file: Offer): void => {
  if (isHeard) post(file);
  else early ??= file;
};

/** Tells the page what the snippet tried, the newest last. Without a detail, only the first time. */
export const tell = (note: Note, detail?: string): void => {
  if (detail === undefined && note in notes) return;
  delete notes[note];
  notes[note] = cut(detail ?? '');
  report();
};

/** Tells the height of the document as it is printed. Its attribute is as before when anyone can see it. */
const reportHeight = (): void => {
  const root = document.documentElement;
  const style = root.getAttribute('style');
  if (innerWidth > maxPrintWidth)
    root.style.setProperty('width', `${maxPrintWidth}px`, 'important');
  post({ height: root.scrollHeight });
  if (style === null) root.removeAttribute('style');
  else root.setAttribute('style', style);
};

/** Reports to the page: what was blocked, the height whenever it changes, and everything on request. Scrolls where the page says. */
export const reportToPage = (): void => {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (blocked.push([effectiveDirective, cut(blockedURI)]) > maxBlocked) blocked.pop();
    else report();
  });
  addEventListener('message', (event) => {
    const { source, data } = event;
    if (source !== parent || !(data === 'report?' || data?.place)) return;
    event.stopImmediatePropagation();
    if (data.place) return scrollTo(...(data.place as [number, number]));
    isHeard = true;
    report();
    reportHeight();
    if (early) post(early);
    early = undefined;
  });
  let timer = 0;
  const changed = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(reportHeight, quietMs);
  });
  addEventListener('load', () => changed.observe(document.documentElement));
};
