import { reloadFrame } from './frame-place.ts';
import { offer } from './offer.ts';
import { liveTexts as texts } from './texts.ts';

/**
 * Creates what loads the frame of a share again, from the frame of its next page, and says so afterwards. What a reader has
 * entered within is lost by that, so they are asked. `settleSeconds` is how long a cache may still have the content from before.
 */
export const createFrameUpdate = (frame: HTMLIFrameElement, settleSeconds: number) => {
  let hasInput = false;
  let latest: string | undefined;
  let offered: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  addEventListener('message', ({ source, data }) => {
    if (source === frame.contentWindow && data?.used === 'input') hasInput = true;
  });

  const show = async (say: () => void): Promise<void> => {
    const url = latest;
    if (url === undefined) return;
    latest = undefined;
    hasInput = false;
    await reloadFrame(frame, url);
    // What the document before has tried.
    document.querySelector('.blocked')?.setAttribute('hidden', '');
    say();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    offered?.remove();
  };
  return {
    /** Drops a frame that isn’t shown yet. */
    cancel,
    update: (next: HTMLIFrameElement | null, say: () => void): void => {
      if (!next) return;
      cancel();
      latest = next.src;
      frame.title = next.title;
      const showOrOffer = () => {
        if (hasInput) offered = offer(texts.newer, texts.show, () => show(say));
        else void show(say);
      };
      if (settleSeconds === 0) showOrOffer();
      else timer = setTimeout(showOrOffer, 1_000 * settleSeconds);
    },
  };
};
