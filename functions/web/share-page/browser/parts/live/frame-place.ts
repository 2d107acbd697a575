/** How long the script of a frame may take to say how far it is scrolled. ms. */
const answerMs = 300;

/** Further than any document is scrolled. CSS pixels. */
const maxPlace = 10_000_000;

/** How far a document is scrolled, across and down. */
export type Place = readonly [left: number, top: number];

/** Reads what a frame says. It may be anything. Of another page of the share than the main one, the place means nothing. */
const readPlace = (data: unknown, mainPath: string): Place | undefined => {
  const { place } = (typeof data === 'object' && data !== null ? data : {}) as { place?: unknown };
  if (!Array.isArray(place)) return undefined;
  const [left, top, path] = place;
  if (path !== mainPath || !Number.isFinite(left) || !Number.isFinite(top)) return undefined;
  const bound = (one: number) => Math.min(Math.max(one, 0), maxPlace);
  return [bound(left), bound(top)];
};

/** Asks the script of a frame how far it is scrolled. Returns `undefined` if it says nothing usable. */
export const askPlace = (frame: HTMLIFrameElement): Promise<Place | undefined> =>
  new Promise((resolve) => {
    const finish = (place?: Place) => {
      removeEventListener('message', listen);
      resolve(place);
    };
    const listen = ({ source, data }: MessageEvent) => {
      if (source !== frame.contentWindow) return;
      const place = readPlace(data, new URL(frame.src).pathname);
      if (place) finish(place);
    };
    addEventListener('message', listen);
    setTimeout(finish, answerMs);
    // A sandboxed frame has an opaque origin, which no target origin matches.
    frame.contentWindow?.postMessage('report?', '*');
  });

/**
 * Loads the document of a frame again, at the place where its reader is. In the document once more, the frame is a new one: no
 * step is added to the history of the page.
 */
export const reloadFrame = async (frame: HTMLIFrameElement, url: string): Promise<void> => {
  const place = await askPlace(frame);
  const hasFocus = document.activeElement === frame;
  const { parentElement, nextSibling } = frame;
  const goThere = () => {
    if (place) frame.contentWindow?.postMessage({ place }, '*');
  };
  frame.addEventListener('load', goThere, { once: true });
  frame.remove();
  frame.src = url;
  parentElement?.insertBefore(frame, nextSibling);
  if (hasFocus) frame.focus();
};
