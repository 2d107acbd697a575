import type { DiagramReport, DiagramRequest } from './messages.ts';

/** The longest time for drawing, ms. */
const maxDrawMs = 3_000;
/** The longest time for loading what draws, ms. */
const maxLoadMs = 20_000;

/** The largest drawing, in CSS pixels: more than anyone looks at. */
const maxPixels = 20_000;

/** The size of a drawing in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Why there is no drawing: nothing draws here, the code has an error, or it takes too long. */
export type Failure = 'unavailable' | 'invalid' | 'tooSlow';

/** A frame that draws a diagram, and draws it again when its code or the colors change. */
export interface Drawing {
  readonly frame: HTMLIFrameElement;
  draw(diagram: Pick<DiagramRequest, 'code' | 'isDark'>): Promise<Size | Failure>;
  /** Ends what draws. */
  remove(): void;
}

/** Calls a function after a time in which the page was visible: browsers slow down hidden ones. Returns what cancels it. */
const afterVisible = (ms: number, run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = (): void => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(run, ms);
  };
  document.addEventListener('visibilitychange', start);
  start();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', start);
  };
};

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && value >= 1 && value <= maxPixels;

/** Creates a frame that draws, which still has to be put into the page. `url` is that of the frame. */
export const createDrawing = (url: string, title: string): Drawing => {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.tabIndex = -1;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.referrerPolicy = 'no-referrer';
  frame.src = url;

  let request: DiagramRequest = { number: 0, code: '', isDark: false };
  let isReady = false;
  let settle = (_: Size | Failure): void => {};
  let stopTimer = (): void => {};

  const limit = (ms: number, failure: Failure): void => {
    stopTimer();
    stopTimer = afterVisible(ms, () => settle(failure));
  };
  // A sandboxed frame has an opaque origin, which no target origin matches.
  const send = (): void => frame.contentWindow?.postMessage(request, '*');

  const listen = ({ source, data }: MessageEvent<DiagramReport | null>): void => {
    if (source === null || source !== frame.contentWindow || !data) return;
    // A frame that moves within the page loads again.
    if (data.state === 'ready') {
      isReady = true;
      send();
    } else if (data.number !== request.number) return;
    else if (data.state === 'drawing') limit(maxDrawMs, 'tooSlow');
    else if (data.state === 'drawn' && isLength(data.width) && isLength(data.height)) {
      settle({ width: data.width, height: data.height });
    } else settle('invalid');
  };
  addEventListener('message', listen);

  return {
    frame,
    draw: ({ code, isDark }) =>
      new Promise((resolve) => {
        settle('invalid');
        settle = (result) => {
          stopTimer();
          settle = () => {};
          resolve(result);
        };
        request = { number: request.number + 1, code, isDark };
        limit(maxLoadMs, 'unavailable');
        if (isReady) send();
      }),
    remove: () => {
      settle('invalid');
      removeEventListener('message', listen);
      frame.remove();
    },
  };
};
